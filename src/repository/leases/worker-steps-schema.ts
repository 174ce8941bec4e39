/** Functions for what workers do again and again, and for who watches that; tables and rules are those of `leases-schema.ts`. */
export const WORKER_STEPS = `
CREATE FUNCTION states_of(epochs integer[]) RETURNS SETOF batch_state LANGUAGE plpgsql AS $$
DECLARE of_ledger ledger;
BEGIN
  SELECT * INTO of_ledger FROM ledger;
  IF of_ledger.first_a > of_ledger.first_b THEN
    IF of_ledger.first_a > (SELECT min(e) FROM unnest(epochs) AS e) THEN RETURN QUERY SELECT * FROM states_in_b(epochs, of_ledger.over_epoch); END IF;
    RETURN QUERY SELECT * FROM states_in_a(epochs, of_ledger.over_epoch);
  ELSE
    IF of_ledger.first_b > (SELECT min(e) FROM unnest(epochs) AS e) THEN RETURN QUERY SELECT * FROM states_in_a(epochs, of_ledger.over_epoch); END IF;
    RETURN QUERY SELECT * FROM states_in_b(epochs, of_ledger.over_epoch);
  END IF;
END $$;

-- For a worker whose row is locked.
CREATE FUNCTION take(
  worker_name text, most_leases integer, from_rank integer, of_turn bigint, open_seconds double precision, only_here boolean,
  ahead text[], busy double precision[]
) RETURNS SETOF leased_batch LANGUAGE plpgsql AS $$
DECLARE
  of_ledger ledger;
  free record;
  places text[];
BEGIN
  PERFORM expire(8);
  SELECT * INTO of_ledger FROM ledger FOR SHARE;
  IF of_ledger.epoch <= of_ledger.over_epoch THEN RETURN; END IF;
  IF of_ledger.first_a > of_ledger.first_b THEN free := free_in_a(worker_name, of_ledger.epoch, most_leases, from_rank, only_here, ahead);
  ELSE free := free_in_b(worker_name, of_ledger.epoch, most_leases, from_rank, only_here, ahead); END IF;
  IF free.ranks IS NULL THEN RETURN; END IF;
  places := places_at(worker_name, free.addresses, of_turn);
  IF of_ledger.first_a > of_ledger.first_b THEN
    RETURN QUERY SELECT * FROM lease_in_a(worker_name, of_ledger.epoch, free.ranks, places, of_turn, open_seconds, ahead, busy);
  ELSE
    RETURN QUERY SELECT * FROM lease_in_b(worker_name, of_ledger.epoch, free.ranks, places, of_turn, open_seconds, ahead, busy);
  END IF;
END $$;

CREATE FUNCTION take_leases(
  worker_name text, most_leases integer, seconds double precision, from_rank integer, of_turn bigint, open_seconds double precision,
  only_here boolean, ahead text[], busy double precision[]
) RETURNS SETOF leased_batch LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_worker(worker_name, seconds);
  RETURN QUERY SELECT * FROM take(worker_name, most_leases, from_rank, of_turn, open_seconds, only_here, ahead, busy);
END $$;

-- Reports are rows of epoch, rank, token, done and free (a bit a position, '' for none), open, ends ('e', 'b' for handed
-- back, ''), rest, hosts and for how long these are kept, and where the host is. In the answer, the row of place 0 has the
-- latest plan; those without a place are leases, if that plan is newer than the one of which no more are wanted.
CREATE FUNCTION report(
  worker_name text, seconds double precision, segment_name text, of_turn bigint, at_addresses text[], held_tokens bigint[],
  epochs integer[], ranks integer[], tokens bigint[], dones text[], frees text[], opens integer[], ends text[],
  rests double precision[], of_hosts text[], keeps double precision[], of_addresses text[],
  most_leases integer, from_rank integer, open_seconds double precision, newer_than integer, only_here boolean, ahead text[], busy double precision[]
) RETURNS TABLE (place integer, is_lost boolean, more integer, leased leased_batch) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  of_ledger ledger;
  newer_first integer;
  has_newer boolean;
  has_older boolean;
  told_places integer[];
  losts boolean[];
  grants integer[];
  ended_places integer[];
  ended_domains text[];
  unknown record;
  left_addresses text[];
  fresh_now bigint; free_now bigint; lost_now bigint; unpaid_now bigint;
  now_is double precision;
  again_lines text;
BEGIN
  PERFORM note_worker(worker_name, seconds);
  -- Whoever holds the ledger is alone until the end: segments are numbered in the order in which they are seen.
  SELECT * INTO of_ledger FROM ledger FOR UPDATE;
  SELECT array_agg(address) INTO left_addresses FROM presence
    WHERE worker = worker_name AND turn < of_turn AND address <> ALL (at_addresses); -- none if at_addresses is null
  IF left_addresses IS NOT NULL THEN
    PERFORM lock_places(left_addresses);
    DELETE FROM presence WHERE worker = worker_name AND address = ANY (left_addresses);
    UPDATE place SET taken = taken - 1 WHERE address = ANY (left_addresses);
  END IF;
  now_is := clock();
  newer_first := greatest(of_ledger.first_a, of_ledger.first_b);
  has_newer := newer_first <= ANY (epochs);
  has_older := newer_first > ANY (epochs);
  SELECT coalesce(sum(fresh), 0), coalesce(sum(free), 0), coalesce(sum(lost), 0), coalesce(sum(unpaid), 0),
      coalesce(array_agg(t.place), '{}'), array_agg(NOT is_held), array_agg(granted),
      array_agg(t.place) FILTER (WHERE is_ended), array_agg(domain) FILTER (WHERE is_ended),
      coalesce(string_agg(concat_ws(' ', epochs[t.place], ranks[t.place], again) || E'\\n', '') FILTER (WHERE again IS NOT NULL), '')
    INTO fresh_now, free_now, lost_now, unpaid_now, told_places, losts, grants, ended_places, ended_domains, again_lines
    FROM (
      SELECT * FROM report_in_a(worker_name, of_ledger, epochs, ranks, tokens, dones, frees, opens, ends, of_addresses)
        WHERE CASE WHEN of_ledger.first_a = newer_first THEN has_newer ELSE has_older END
      UNION ALL SELECT * FROM report_in_b(worker_name, of_ledger, epochs, ranks, tokens, dones, frees, opens, ends, of_addresses)
        WHERE CASE WHEN of_ledger.first_b = newer_first THEN has_newer ELSE has_older END
    ) AS t;
  -- Of plans that are forgotten.
  IF cardinality(told_places) < cardinality(epochs) THEN
    again_lines := again_lines || coalesce((SELECT string_agg(concat_ws(' ', t.epoch, t.rank, t.done) || E'\\n', '')
      FROM unnest(epochs, ranks, dones) WITH ORDINALITY AS t (epoch, rank, done, place) WHERE t.done <> '' AND t.place <> ALL (told_places)), '');
  END IF;
  IF ended_places IS NOT NULL THEN
    UPDATE domain_state d SET hosts = of_hosts[t.place], kept_until = now_is + keeps[t.place]
      FROM unnest(ended_places, ended_domains) AS t (place, domain) WHERE d.domain = t.domain AND of_hosts[t.place] <> '';
    PERFORM leave(ended_domains, ARRAY(SELECT now_is + rests[e] FROM unnest(ended_places) AS e), ARRAY(SELECT tokens[e] FROM unnest(ended_places) AS e));
  END IF;
  IF fresh_now > 0 OR unpaid_now > 0 THEN
    UPDATE ledger SET spent = spent + fresh_now - free_now, lost = lost + lost_now, escrow = escrow - fresh_now - unpaid_now;
  END IF;
  -- Leases that it never heard of.
  IF held_tokens IS NOT NULL THEN
    SELECT array_agg(d.domain) AS domains, array_agg(now_is + d.rest_seconds) AS rests, array_agg(h.token) AS tokens INTO unknown
      FROM domain_state d, unnest(d.held) AS h WHERE d.worker = worker_name AND h.turn < of_turn AND h.token <> ALL (held_tokens);
    IF unknown.domains IS NOT NULL THEN PERFORM release(unknown.domains, unknown.rests, unknown.tokens); END IF;
  END IF;
  IF segment_name <> '' THEN
    INSERT INTO segment SELECT coalesce(max(sequence), 0) + 1, segment_name, worker_name, again_lines FROM segment
      ON CONFLICT (name) DO NOTHING;
  END IF;
  IF fresh_now > 0 THEN UPDATE worker SET done = done + fresh_now WHERE name = worker_name; END IF;
  RETURN QUERY SELECT *, NULL::leased_batch FROM unnest(told_places, losts, grants)
    UNION ALL SELECT 0, false, of_ledger.epoch, NULL::leased_batch;
  IF most_leases > 0 AND of_ledger.epoch > newer_than THEN
    RETURN QUERY SELECT NULL::integer, NULL::boolean, NULL::integer, t FROM take(worker_name, most_leases, from_rank, of_turn, open_seconds, only_here, ahead, busy) AS t;
  END IF;
END $$;
`
