/** Batches lie in two tables by turns: while one fills, the other is as old as its plans, and is emptied whole. */
export const BATCH_TABLES = ['a', 'b'] as const
type BatchTable = (typeof BATCH_TABLES)[number]

/**
 * One of the tables, and each step's part that reads or writes it. A statement that names its table is planned once a
 * connection; one put together when it is run was planned each time, and that was half of what leases cost.
 */
export function batchTable(table: BatchTable): string {
  const batch = `batch_${table}`
  return `
CREATE TABLE ${batch} (
  epoch integer NOT NULL, rank integer NOT NULL, domain text NOT NULL COLLATE "C", address text NOT NULL COLLATE "C",
  size integer NOT NULL, rest_seconds double precision NOT NULL, payload bytea NOT NULL, state "char" NOT NULL DEFAULT 'q',
  opened integer NOT NULL DEFAULT 0 CHECK (opened <= size), done bit varying NOT NULL,
  done_count integer NOT NULL DEFAULT 0 CHECK (done_count <= opened),
  worker text, token bigint, -- who has it, or had it last, and of which lease
  PRIMARY KEY (epoch, rank)
) WITH (fillfactor = 50, toast_tuple_target = 128);
-- Beside the row: each report writes that again.
ALTER TABLE ${batch} ALTER payload SET STORAGE EXTERNAL;

CREATE FUNCTION queued_in_${table}(of_epoch integer, OUT lost bigint, OUT unpaid bigint) LANGUAGE plpgsql AS $$
BEGIN
  SELECT coalesce(sum(opened - done_count), 0), coalesce(sum(size - done_count), 0) INTO lost, unpaid
    FROM ${batch} WHERE epoch = of_epoch AND state = 'q';
END $$;

CREATE FUNCTION insert_in_${table}(
  of_epoch integer, domains text[], addresses text[], sizes integer[], rests double precision[], payloads bytea[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ${batch} (epoch, rank, domain, address, size, rest_seconds, payload, done)
    SELECT of_epoch, place - 1, domain, address, size, rest, payload, repeat('0', size)::bit varying
    FROM unnest(domains, addresses, sizes, rests, payloads) WITH ORDINALITY AS b (domain, address, size, rest, payload, place);
END $$;

-- What became of batches of which something was opened, or that somebody has.
CREATE FUNCTION states_in_${table}(epochs integer[], over integer) RETURNS SETOF batch_state LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT b.epoch, b.rank, CASE WHEN b.state = 'q' AND b.epoch <= over THEN 'e' ELSE b.state::text END, b.opened, b.done::text
    FROM ${batch} b WHERE b.epoch = ANY (epochs) AND (b.state = 'l' OR b.opened > 0) ORDER BY 1, 2;
END $$;

-- Batches that the worker may have, of these ranks; they are locked.
CREATE FUNCTION ranks_in_${table}(
  worker_name text, plan integer, most_leases integer, from_rank integer, to_rank integer, only_here boolean,
  ahead text[], now_is double precision,
  OUT ranks integer[], OUT addresses text[]
) LANGUAGE plpgsql AS $$
BEGIN
  SELECT array_agg(rank), array_agg(address) INTO ranks, addresses FROM (
    SELECT b.rank, b.address FROM ${batch} b WHERE b.epoch = plan AND b.rank >= from_rank AND b.rank < to_rank AND b.state = 'q'
      AND NOT EXISTS (SELECT FROM domain_state d WHERE d.domain = b.domain 
        AND CASE WHEN d.worker IS NULL THEN d.ready_at > now_is ELSE d.worker <> worker_name OR d.domain <> ALL (ahead) END)
      AND (NOT only_here OR EXISTS (SELECT FROM presence q WHERE q.address = b.address AND q.worker = worker_name))
      AND NOT EXISTS (SELECT FROM place p WHERE p.address = b.address AND p.taken >= p.most
        AND NOT EXISTS (SELECT FROM presence q WHERE q.address = p.address AND q.worker = worker_name))
    ORDER BY b.rank LIMIT most_leases FOR UPDATE OF b SKIP LOCKED
  ) AS free;
END $$;

-- From that rank on and, if that is not enough, from the first on.
CREATE FUNCTION free_in_${table}(
  worker_name text, plan integer, most_leases integer, from_rank integer, only_here boolean, ahead text[],
  OUT ranks integer[], OUT addresses text[]
) LANGUAGE plpgsql AS $$
DECLARE
  first record;
  now_is double precision := clock();
BEGIN
  SELECT * INTO ranks, addresses FROM ranks_in_${table}(worker_name, plan, most_leases, from_rank, 2147483647, only_here, ahead, now_is);
  IF from_rank > 0 AND coalesce(cardinality(ranks), 0) < most_leases THEN
    first := ranks_in_${table}(worker_name, plan, most_leases - coalesce(cardinality(ranks), 0), 0, from_rank, only_here, ahead, now_is);
    ranks := first.ranks || ranks;
    addresses := first.addresses || addresses;
  END IF;
END $$;

-- Each is let send what its domain takes in that time.
CREATE FUNCTION lease_in_${table}(
  worker_name text, plan integer, ranks integer[], addresses text[], of_turn bigint, open_seconds double precision,
  ahead text[], busy double precision[]
) RETURNS SETOF leased_batch LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY WITH chosen AS MATERIALIZED (
    SELECT b.epoch, b.rank, b.domain, b.address, b.size, b.rest_seconds, b.payload, b.opened, b.done, nextval('token') AS token, least(b.size - b.opened, CASE WHEN w.seconds <= 0 THEN 0 WHEN b.rest_seconds <= 0 THEN b.size
      ELSE greatest(1, ceil(least(w.seconds / b.rest_seconds, b.size))) END)::integer AS granted
    FROM ${batch} b, LATERAL (SELECT open_seconds - coalesce(busy[array_position(ahead, b.domain)], 0) AS seconds) AS w WHERE b.epoch = plan AND b.rank = ANY (ranks) AND (b.address = '' OR b.address = ANY (addresses))
  ), had AS (
    INSERT INTO domain_state AS d (domain, worker, held, rest_seconds)
      SELECT c.domain, worker_name, ARRAY[(plan, c.rank, c.token, of_turn)::held_batch], c.rest_seconds FROM chosen c
      ON CONFLICT (domain) DO UPDATE SET worker = excluded.worker, held = d.held || excluded.held, rest_seconds = excluded.rest_seconds
        WHERE d.worker IS NULL OR d.worker = excluded.worker
      RETURNING d.domain, d.hosts
  ), noted AS (
    UPDATE ${batch} b SET state = 'l', opened = b.opened + c.granted, worker = worker_name, token = c.token FROM chosen c JOIN had USING (domain)
      WHERE b.epoch = plan AND b.rank = c.rank
  ) SELECT c.epoch, c.rank, c.domain, c.address, c.size, c.rest_seconds, c.payload, c.token, c.opened + c.granted, c.granted, c.done::text,
      had.hosts FROM chosen c JOIN had USING (domain) ORDER BY c.rank;
END $$;

-- Of those leases that the worker has; of who has one no more nothing is taken: somebody else may be at it, or it is planned anew.
CREATE FUNCTION report_in_${table}(
  worker_name text, of_ledger ledger, epochs integer[], ranks integer[], tokens bigint[], dones text[], frees text[], opens integer[], ends text[],
  of_addresses text[], first_epoch integer, last_epoch integer
) RETURNS told_batches LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE told told_batches;
BEGIN
  -- In steps that are worked out once each: put into one another, every use of a value would work it out again.
  WITH old AS MATERIALIZED (
    SELECT t.place, b.ctid AS at, b.done AS was, b.size, b.done_count, b.opened, t.ends, t.address,
      rpad(t.done, b.size, '0')::bit varying AS told, rpad(t.free, b.size, '0')::bit varying AS free,
      CASE WHEN t.open < 0 OR t.ends = '' AND NOT of_ledger.is_withdrawn THEN t.open ELSE 0 END AS open
    FROM unnest(epochs, ranks, tokens, dones, frees, opens, ends, of_addresses) WITH ORDINALITY
      AS t (epoch, rank, token, done, free, open, ends, address, place)
    JOIN ${batch} b ON b.epoch = t.epoch AND b.rank = t.rank AND b.token = t.token AND b.worker = worker_name AND b.state = 'l'
    WHERE t.epoch BETWEEN first_epoch AND last_epoch
  ), t AS MATERIALIZED (
    SELECT *, was | told AS is_done, ends <> '' AS is_ended, least(size, opened + open) AS now_opened, was & told AS repeated FROM old
  ), now AS (
    UPDATE ${batch} b SET done = t.is_done, done_count = bit_count(t.is_done), opened = t.now_opened,
      state = CASE WHEN NOT t.is_ended THEN b.state
        WHEN t.ends = 'e' OR t.now_opened = b.size OR of_ledger.is_withdrawn OR b.epoch <= of_ledger.over_epoch THEN 'e' ELSE 'q' END,
      address = CASE WHEN t.is_ended AND t.address <> '' THEN t.address ELSE b.address END
    FROM t WHERE b.ctid = t.at -- it is as it was: who writes batches has the ledger
    RETURNING t.place::integer, t.is_ended, b.domain, b.epoch, b.rank, b.done_count - t.done_count AS fresh,
      bit_count(t.is_done & ~t.was & t.free) AS free, b.opened - t.opened AS granted,
      CASE WHEN t.is_ended AND b.state = 'e' THEN b.opened - b.done_count ELSE 0 END AS lost,
      CASE WHEN t.is_ended AND b.state = 'e' THEN b.size - b.done_count ELSE 0 END AS unpaid, t.repeated
  ) SELECT array_agg(place), array_agg(granted), array_agg(place) FILTER (WHERE is_ended), array_agg(domain) FILTER (WHERE is_ended),
      sum(fresh), sum(free), sum(lost), sum(unpaid),
      string_agg(concat_ws(' ', epoch, rank, repeated) || E'\\n', '') FILTER (WHERE bit_count(repeated) > 0)
    INTO told FROM now;
  RETURN told;
END $$;

-- Batches that workers had go back to the queue, or end.
CREATE FUNCTION release_in_${table}(domains text[], tokens bigint[], over integer, withdrawn boolean, OUT lost bigint, OUT unpaid bigint) LANGUAGE plpgsql AS $$
BEGIN
  WITH ended AS (
    UPDATE ${batch} b SET state = CASE WHEN b.opened = b.size OR withdrawn OR b.epoch <= over THEN 'e' ELSE 'q' END
    FROM domain_state d, unnest(d.held) AS h
    WHERE d.domain = ANY (domains) AND h.token = ANY (tokens) AND b.epoch = h.epoch AND b.rank = h.rank
    RETURNING b.state = 'e' AS is_over, b.opened - b.done_count AS lost, b.size - b.done_count AS unpaid
  ) SELECT coalesce(sum(e.lost), 0), coalesce(sum(e.unpaid), 0) INTO lost, unpaid FROM ended e WHERE is_over;
END $$;
`
}
