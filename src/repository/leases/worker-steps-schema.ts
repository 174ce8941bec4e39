import { EPOCHS_A_TABLE } from '#crawl/leases/leases.ts'

/** Functions for what workers do again and again, and for who watches that; tables and rules are those of `leases-schema.ts`. */
export const WORKER_STEPS = `
-- What became of batches of which something was opened, or that somebody has.
CREATE FUNCTION states_of(epochs integer[]) RETURNS TABLE (epoch integer, rank integer, state text, opened integer, done text)
LANGUAGE plpgsql AS $$
DECLARE
  of_table integer;
  over integer;
BEGIN
  SELECT over_epoch INTO over FROM ledger;
  FOR of_table IN SELECT DISTINCT e / ${EPOCHS_A_TABLE} FROM unnest(epochs) AS e ORDER BY 1 LOOP
    IF to_regclass(format('batch_%s', of_table)) IS NULL THEN CONTINUE; END IF;
    RETURN QUERY EXECUTE format('SELECT epoch, rank, CASE WHEN state = ''q'' AND epoch <= $2 THEN ''e'' ELSE state::text END, opened,
      done::text FROM batch_%s WHERE epoch = ANY ($1) AND (state = ''l'' OR opened > 0) ORDER BY 1, 2', of_table) USING epochs, over;
  END LOOP;
END $$;

-- Each is let send what its domain takes in that time.
CREATE FUNCTION take_leases(
  worker_name text, most_leases integer, seconds double precision, from_rank integer, of_turn bigint, open_seconds double precision
) RETURNS TABLE (epoch integer, rank integer, domain text, address text, size integer, rest_seconds double precision,
  payload bytea, token bigint, opened integer, granted integer, done text, hosts text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  plan integer;
  is_over boolean;
  ranks integer[];
  addresses text[];
  now_is double precision;
BEGIN
  PERFORM note_worker(worker_name, seconds);
  PERFORM expire(8);
  SELECT l.epoch, l.epoch <= l.over_epoch INTO plan, is_over FROM ledger l FOR SHARE;
  IF is_over THEN RETURN; END IF;
  now_is := clock();
  EXECUTE format('SELECT array_agg(rank), array_agg(address) FROM (
    SELECT b.rank, b.address FROM batch_%s b WHERE b.epoch = $5 AND b.rank >= $1 AND b.state = ''q''
      AND NOT EXISTS (SELECT FROM lease l WHERE l.domain = b.domain)
      AND NOT EXISTS (SELECT FROM rest r WHERE r.domain = b.domain AND r.ready_at > $3)
      AND (b.address = '''' OR NOT EXISTS (SELECT FROM place p WHERE p.address = b.address AND p.taken >= p.most)
        OR EXISTS (SELECT FROM presence p WHERE p.address = b.address AND p.worker = $4))
    ORDER BY b.rank LIMIT $2 FOR UPDATE OF b SKIP LOCKED
  ) AS free', plan / ${EPOCHS_A_TABLE}) INTO ranks, addresses USING from_rank, most_leases, now_is, worker_name, plan;
  IF ranks IS NULL THEN RETURN; END IF;
  PERFORM lock_places(addresses);
  SELECT array_agg(a) INTO addresses FROM take_places(worker_name, addresses, of_turn) AS a;
  RETURN QUERY EXECUTE format('WITH chosen AS MATERIALIZED (
    SELECT *, nextval(''token'') AS token, least(size - opened, CASE WHEN $6 <= 0 THEN 0 WHEN rest_seconds <= 0 THEN size
      ELSE greatest(1, ceil(least($6 / rest_seconds, size))) END)::integer AS granted FROM (
      SELECT * FROM batch_%1$s WHERE epoch = $3 AND rank = ANY ($1) AND (address = '''' OR address = ANY ($2)) ORDER BY rank
    ) ordered
  ), leased AS (
    INSERT INTO lease (domain, epoch, rank, token, worker, turn, rest_seconds)
      SELECT domain, epoch, rank, token, $4, $5, rest_seconds FROM chosen
  ), noted AS (
    UPDATE batch_%1$s b SET state = ''l'', opened = b.opened + granted FROM chosen WHERE b.epoch = $3 AND b.rank = chosen.rank
  ) SELECT epoch, rank, domain, address, size, rest_seconds, payload, token, opened + granted, granted, done::text,
      coalesce((SELECT r.hosts FROM rest r WHERE r.domain = chosen.domain), '''') FROM chosen ORDER BY rank', plan / ${EPOCHS_A_TABLE})
    USING ranks, addresses, plan, worker_name, of_turn, open_seconds;
END $$;

-- Reports are rows of epoch, rank, token, done and free (a bit a position, '' for none), open, ends ('e', 'b' for handed
-- back, ''), rest, hosts and for how long these are kept, and where the host is. The last row of the answer, of place 0, has the latest plan.
CREATE FUNCTION report(
  worker_name text, seconds double precision, segment_name text, of_turn bigint, at_addresses text[], held_tokens bigint[],
  epochs integer[], ranks integer[], tokens bigint[], dones text[], frees text[], opens integer[], ends text[],
  rests double precision[], of_hosts text[], keeps double precision[], of_addresses text[]
) RETURNS TABLE (place integer, is_lost boolean, granted integer) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  of_table integer;
  newest integer;
  withdrawn boolean;
  told record;
  held bigint[];
  unknown record;
  left_addresses text[];
  done_now bigint := 0; spent_now bigint := 0;
  now_is double precision;
  again text := '';
BEGIN
  PERFORM note_worker(worker_name, seconds);
  -- Whoever holds the ledger is alone until the end: segments are numbered in the order in which they are seen.
  SELECT epoch, is_withdrawn INTO newest, withdrawn FROM ledger FOR UPDATE;
  SELECT coalesce(array_agg(token), '{}') INTO held FROM lease WHERE token = ANY (tokens) AND worker = worker_name;
  SELECT array_agg(address) INTO left_addresses FROM presence
    WHERE worker = worker_name AND turn < of_turn AND address <> ALL (at_addresses); -- none if at_addresses is null
  IF left_addresses IS NOT NULL THEN
    PERFORM lock_places(left_addresses);
    WITH gone AS (DELETE FROM presence WHERE worker = worker_name AND turn < of_turn AND address = ANY (left_addresses) RETURNING address)
      UPDATE place p SET taken = taken - 1 FROM gone WHERE p.address = gone.address;
  END IF;
  now_is := clock();
  FOR of_table IN SELECT DISTINCT e / ${EPOCHS_A_TABLE} FROM unnest(epochs) AS e LOOP
    IF to_regclass(format('batch_%s', of_table)) IS NULL THEN
      SELECT again || coalesce(string_agg(concat_ws(' ', t.epoch, t.rank, t.done), E'\\n'), '') || E'\\n' INTO again
        FROM unnest(epochs, ranks, dones) AS t (epoch, rank, done) WHERE t.epoch / ${EPOCHS_A_TABLE} = of_table AND t.done <> '';
      CONTINUE;
    END IF;
    -- Of who has the lease no more nothing is taken: somebody else may be at it, or it is planned anew.
    FOR told IN EXECUTE format('UPDATE batch_%1$s b SET done = b.done | t.bits, done_count = bit_count(b.done | t.bits),
        opened = least(b.size, b.opened + t.open)
      FROM (
        SELECT place, epoch, rank, token = ANY ($8) AS is_held, rpad(t.done, size, ''0'')::bit varying AS told,
          rpad(CASE WHEN token = ANY ($8) THEN t.done ELSE '''' END, size, ''0'')::bit varying AS bits, rpad(t.free, size, ''0'')::bit varying AS free,
          old.done AS done, done_count, opened, CASE WHEN token = ANY ($8) AND (open < 0 OR ends = '''' AND NOT $9) THEN open ELSE 0 END AS open
        FROM unnest($1, $2, $3, $4, $5, $6, $7) WITH ORDINALITY AS t (epoch, rank, token, done, free, open, ends, place)
        JOIN batch_%1$s old USING (epoch, rank)
      ) t WHERE b.epoch = t.epoch AND b.rank = t.rank
      RETURNING t.place, t.is_held, b.done_count - t.done_count AS fresh, bit_count(t.bits & ~t.done & t.free) AS free,
        CASE WHEN t.open <> 0 THEN b.opened - t.opened ELSE 0 END AS granted,
        CASE WHEN t.is_held AND bit_count(t.bits & t.done) > 0 THEN (t.bits & t.done)::text
          WHEN NOT t.is_held AND bit_count(t.told) > 0 THEN t.told::text END AS again', of_table)
      USING epochs, ranks, tokens, dones, frees, opens, ends, held, withdrawn
    LOOP
      done_now := done_now + told.fresh;
      spent_now := spent_now + told.fresh - told.free;
      IF told.again IS NOT NULL THEN again := again || concat_ws(' ', epochs[told.place], ranks[told.place], told.again) || E'\\n'; END IF;
      place := told.place;
      is_lost := NOT told.is_held;
      granted := told.granted;
      RETURN NEXT;
    END LOOP;
  END LOOP;
  IF done_now > 0 THEN PERFORM charge(spent_now, 0, -done_now); END IF;
  SELECT array_agg(t.token) AS tokens, array_agg(t.ends = 'e') AS ends, array_agg(now_is + t.rest) AS rests,
    array_agg(t.hosts) AS hosts, array_agg(CASE WHEN t.hosts = '' THEN 0 ELSE now_is + t.keep END) AS keeps,
    array_agg(t.address) AS addresses INTO told
    FROM unnest(tokens, ends, rests, of_hosts, keeps, of_addresses) AS t (token, ends, rest, hosts, keep, address)
    WHERE t.ends <> '' AND t.token = ANY (held);
  IF told.tokens IS NOT NULL THEN
    PERFORM release_leases(told.tokens, told.ends, told.rests, told.hosts, told.keeps, told.addresses);
  END IF;
  -- Leases that it never heard of; none if held_tokens is null.
  SELECT array_agg(token) AS tokens, array_agg(false) AS ends, array_agg(now_is + rest_seconds) AS rests INTO unknown
    FROM lease WHERE worker = worker_name AND turn < of_turn AND token <> ALL (held_tokens);
  IF unknown.tokens IS NOT NULL THEN
    PERFORM release_leases(unknown.tokens, unknown.ends, unknown.rests, '{}', '{}', '{}');
  END IF;
  IF segment_name <> '' THEN
    INSERT INTO segment SELECT coalesce(max(sequence), 0) + 1, segment_name, worker_name, again FROM segment
      ON CONFLICT (name) DO NOTHING;
  END IF;
  IF done_now > 0 THEN UPDATE worker SET done = done + done_now WHERE name = worker_name; END IF;
  place := 0;
  granted := newest;
  RETURN NEXT;
END $$;
`
