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

-- Batches are lines of epoch, rank, state, opened and done: the planner asks for hundreds of them again and again.
CREATE FUNCTION look(epochs integer[], OUT total bigint, OUT spent bigint, OUT lost bigint, OUT escrow bigint, OUT batches text) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM expire(1000000);
  SELECT l.total, l.spent, l.lost, l.escrow INTO total, spent, lost, escrow FROM ledger l;
  IF epochs <> '{}' THEN
    batches := (SELECT string_agg(concat_ws(' ', s.epoch, s.rank, s.state, s.opened, s.done), E'\\n') FROM states_of(epochs) s);
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
-- back, ''), rest, hosts and for how long these are kept, and where the host is. In the answer, the first row has the latest
-- plan, and of those leases that the worker has, by their places, how many more it may send; the others are leases, if that
-- plan is newer than the one of which no more are wanted.
CREATE FUNCTION report(
  worker_name text, seconds double precision, segment_name text, of_turn bigint, at_addresses text[], held_tokens bigint[],
  epochs integer[], ranks integer[], tokens bigint[], dones text[], frees text[], opens integer[], ends text[],
  rests double precision[], of_hosts text[], keeps double precision[], of_addresses text[],
  most_leases integer, from_rank integer, open_seconds double precision, newer_than integer, only_here boolean, ahead text[], busy double precision[]
) RETURNS TABLE (latest integer, places integer[], grants integer[], leased leased_batch) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  of_ledger ledger;
  newer_first integer;
  told told_batches;
  older told_batches;
  unknown record;
  left_addresses text[];
  now_is double precision;
BEGIN
  PERFORM note_worker(worker_name, seconds);
  -- Whoever holds the ledger is alone until the end: segments are numbered in the order in which they are seen.
  SELECT * INTO of_ledger FROM ledger FOR UPDATE;
  IF at_addresses IS NOT NULL THEN
    left_addresses := ARRAY(SELECT address FROM presence
      WHERE worker = worker_name AND turn < of_turn AND address <> ALL (at_addresses));
    IF left_addresses <> '{}' THEN
      PERFORM lock_places(left_addresses);
      DELETE FROM presence WHERE worker = worker_name AND address = ANY (left_addresses);
      UPDATE place SET taken = taken - 1 WHERE address = ANY (left_addresses);
    END IF;
  END IF;
  now_is := clock();
  newer_first := greatest(of_ledger.first_a, of_ledger.first_b);
  IF newer_first <= ANY (epochs) THEN
    IF of_ledger.first_a = newer_first THEN
      told := report_in_a(worker_name, of_ledger, epochs, ranks, tokens, dones, frees, opens, ends, of_addresses, newer_first, 2147483647);
    ELSE
      told := report_in_b(worker_name, of_ledger, epochs, ranks, tokens, dones, frees, opens, ends, of_addresses, newer_first, 2147483647);
    END IF;
  END IF;
  IF newer_first > ANY (epochs) THEN
    IF of_ledger.first_a = newer_first THEN
      older := report_in_b(worker_name, of_ledger, epochs, ranks, tokens, dones, frees, opens, ends, of_addresses, 0, newer_first - 1);
    ELSE
      older := report_in_a(worker_name, of_ledger, epochs, ranks, tokens, dones, frees, opens, ends, of_addresses, 0, newer_first - 1);
    END IF;
    told := (told.places || older.places, told.grants || older.grants, told.ended || older.ended, told.ended_domains || older.ended_domains,
      coalesce(told.fresh, 0) + coalesce(older.fresh, 0), coalesce(told.free, 0) + coalesce(older.free, 0), coalesce(told.lost, 0) + coalesce(older.lost, 0),
      coalesce(told.unpaid, 0) + coalesce(older.unpaid, 0), concat(told.again, older.again));
  END IF;
  IF cardinality(epochs) > coalesce(cardinality(told.places), 0) THEN
    told.again := concat(told.again, (SELECT string_agg(concat_ws(' ', t.epoch, t.rank, t.done) || E'\\n', '')
      FROM unnest(epochs, ranks, dones) WITH ORDINALITY AS t (epoch, rank, done, place)
      WHERE t.done <> '' AND t.place <> ALL (coalesce(told.places, '{}'))));
  END IF;
  IF told.ended IS NOT NULL THEN
    PERFORM leave(told.ended_domains, ARRAY(SELECT now_is + rests[e] FROM unnest(told.ended) AS e), ARRAY(SELECT tokens[e] FROM unnest(told.ended) AS e),
      ARRAY(SELECT of_hosts[e] FROM unnest(told.ended) AS e), ARRAY(SELECT now_is + keeps[e] FROM unnest(told.ended) AS e));
  END IF;
  IF told.fresh > 0 OR told.unpaid > 0 THEN
    UPDATE ledger SET spent = spent + told.fresh - told.free, lost = lost + told.lost, escrow = escrow - told.fresh - told.unpaid;
  END IF;
  -- Leases that it never heard of.
  IF held_tokens IS NOT NULL THEN
    SELECT array_agg(d.domain) AS domains, array_agg(now_is + d.rest_seconds) AS rests, array_agg(h.token) AS tokens INTO unknown
      FROM domain_state d, unnest(d.held) AS h WHERE d.worker = worker_name AND h.turn < of_turn AND h.token <> ALL (held_tokens);
    IF unknown.domains IS NOT NULL THEN PERFORM release(unknown.domains, unknown.rests, unknown.tokens); END IF;
  END IF;
  IF segment_name <> '' THEN
    INSERT INTO segment SELECT coalesce(max(sequence), 0) + 1, segment_name, worker_name, coalesce(told.again, '') FROM segment
      ON CONFLICT (name) DO NOTHING;
  END IF;
  IF told.fresh > 0 THEN UPDATE worker SET done = done + told.fresh WHERE name = worker_name; END IF;
  latest := of_ledger.epoch;
  places := told.places;
  grants := told.grants;
  RETURN NEXT;
  IF most_leases > 0 AND of_ledger.epoch > newer_than THEN
    RETURN QUERY SELECT NULL::integer, NULL::integer[], NULL::integer[], t FROM take(worker_name, most_leases, from_rank, of_turn, open_seconds, only_here, ahead, busy) AS t;
  END IF;
END $$;
`
