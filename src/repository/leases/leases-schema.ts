import { EPOCHS_A_TABLE } from '#crawl/leases/leases.ts'
import { WORKER_STEPS } from './worker-steps-schema.ts'

/** Another number whenever the statements below, or those of the workers' steps, change: who finds another one there must not go on. */
export const SCHEMA_VERSION = 5

/**
 * Tables and functions of one crawl, made in a schema of its own. Each step is one function, so one transaction.
 *
 * - Batches of some plans have a table of their own: it is dropped whole, as deleted rows would slow down every lease
 *   while a long transaction keeps them (a backup, a forgotten connection).
 * - Leases go by a cursor over ranks for the same reason; never from the head of an index.
 * - A worker's leases last as long as its own row says: to renew fifty of them is to write one row. Whoever changes them
 *   has that row first.
 * - What is queued of a plan that was replaced is over without being written: the ledger says up to which plan.
 * - Locks are taken in one order: workers, the ledger, then batches and places, these by address. Who leases shares the
 *   ledger with others who do, and with nobody who ends what is queued.
 */
export const LEASES_SCHEMA = `
CREATE TABLE ledger (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version integer NOT NULL,
  epoch integer NOT NULL DEFAULT -1,
  announced text NOT NULL DEFAULT '',
  is_withdrawn boolean NOT NULL DEFAULT false,
  over_epoch integer NOT NULL DEFAULT -1, -- what is queued of plans up to this one has ended
  total bigint NOT NULL DEFAULT 0,
  spent bigint NOT NULL DEFAULT 0 CHECK (spent >= 0),
  lost bigint NOT NULL DEFAULT 0 CHECK (lost >= 0),
  escrow bigint NOT NULL DEFAULT 0 CHECK (escrow >= 0),
  CONSTRAINT within_budget CHECK (spent + lost + escrow <= total)
);
CREATE TABLE lease (
  domain text COLLATE "C" PRIMARY KEY,
  epoch integer NOT NULL,
  rank integer NOT NULL,
  token bigint NOT NULL,
  worker text NOT NULL,
  turn bigint NOT NULL,
  rest_seconds double precision NOT NULL
);
CREATE UNIQUE INDEX lease_token ON lease (token);
CREATE INDEX lease_worker ON lease (worker);
CREATE TABLE place (
  address text COLLATE "C" PRIMARY KEY,
  most integer NOT NULL DEFAULT 1,
  taken integer NOT NULL DEFAULT 0 CHECK (taken >= 0)
) WITH (fillfactor = 50);
-- A worker has at most one place at an address, for all domains that it asks there; the turn is its own count.
CREATE TABLE presence (
  address text COLLATE "C" NOT NULL,
  worker text NOT NULL,
  turn bigint NOT NULL,
  PRIMARY KEY (address, worker)
);
CREATE INDEX presence_worker ON presence (worker);
CREATE TABLE worker (
  name text PRIMARY KEY,
  since double precision NOT NULL,
  seen double precision NOT NULL,
  until double precision NOT NULL, -- its leases and places, too
  is_over boolean NOT NULL DEFAULT false, -- it is lost, and all that it had is taken from it
  done bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE rest (
  domain text COLLATE "C" PRIMARY KEY,
  ready_at double precision NOT NULL,
  hosts text NOT NULL DEFAULT '',
  kept_until double precision NOT NULL DEFAULT 0
);
CREATE TABLE segment (
  sequence bigint PRIMARY KEY,
  name text NOT NULL UNIQUE,
  worker text NOT NULL,
  -- Epoch, rank and bits of what had been reported before, one a line.
  repeated text NOT NULL
);
CREATE SEQUENCE token;

-- The server's clock; workers and planner go by differences of their own.
CREATE FUNCTION clock() RETURNS double precision LANGUAGE sql AS
$$ SELECT extract(epoch FROM clock_timestamp())::double precision $$;

CREATE FUNCTION charge(spent_more bigint, lost_more bigint, escrow_more bigint) RETURNS void LANGUAGE sql AS
$$ UPDATE ledger SET spent = spent + spent_more, lost = lost + lost_more, escrow = escrow + escrow_more $$;

CREATE FUNCTION lock_places(addresses text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO place (address) SELECT DISTINCT a COLLATE "C" FROM unnest(addresses) AS a WHERE a <> '' ORDER BY 1
    ON CONFLICT DO NOTHING;
  PERFORM 1 FROM place WHERE address = ANY (addresses) ORDER BY address FOR UPDATE;
END $$;

-- Its row is locked from then on: who comes late finds what is left of its leases.
CREATE FUNCTION note_worker(worker_name text, seconds double precision) RETURNS void LANGUAGE plpgsql AS $$
DECLARE now_is double precision := clock();
BEGIN
  UPDATE worker SET seen = now_is, until = greatest(until, now_is + seconds), is_over = false WHERE name = worker_name;
  IF NOT FOUND THEN
    INSERT INTO worker (name, since, seen, until) VALUES (worker_name, now_is, now_is, now_is + seconds)
      ON CONFLICT DO NOTHING;
  END IF;
END $$;

-- Gives those of the addresses, which are locked, at which the worker has a place from now on.
CREATE FUNCTION take_places(worker_name text, addresses text[], of_turn bigint) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  UPDATE presence SET turn = of_turn WHERE worker = worker_name AND address = ANY (addresses) AND turn < of_turn;
  WITH fresh AS (
    INSERT INTO presence SELECT address, worker_name, of_turn FROM place
      WHERE address = ANY (addresses) AND taken < most ORDER BY address
      ON CONFLICT DO NOTHING RETURNING address
  ) UPDATE place p SET taken = taken + 1 FROM fresh WHERE p.address = fresh.address;
  RETURN QUERY SELECT address FROM presence WHERE worker = worker_name AND address = ANY (addresses) ORDER BY 1;
END $$;

CREATE FUNCTION arrive(worker_name text, seconds double precision, addresses text[], of_turn bigint) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_worker(worker_name, seconds);
  PERFORM lock_places(addresses);
  RETURN QUERY SELECT take_places(worker_name, addresses, of_turn);
END $$;

-- Ends leases of workers whose rows are locked. What was opened stays opened, as it may have been sent: a batch that
-- fails again and again ends. What was opened and not reported is lost; what was never opened goes back to the budget.
CREATE FUNCTION release_leases(
  of_tokens bigint[], ends boolean[], rests_until double precision[], of_hosts text[], keeps_until double precision[], of_addresses text[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  over integer;
  withdrawn boolean;
  of_table integer;
  lost_now bigint; unpaid bigint;
BEGIN
  -- A plan that is being published must not miss what goes back to the queue.
  SELECT over_epoch, is_withdrawn INTO over, withdrawn FROM ledger FOR UPDATE;
  INSERT INTO rest AS r SELECT l.domain, t.rests_until, coalesce(t.hosts, ''), coalesce(t.keeps_until, 0)
    FROM unnest(of_tokens, rests_until, of_hosts, keeps_until) AS t (token, rests_until, hosts, keeps_until)
    JOIN lease l USING (token) ORDER BY 1
    ON CONFLICT (domain) DO UPDATE SET ready_at = excluded.ready_at,
      hosts = CASE WHEN excluded.kept_until > 0 THEN excluded.hosts ELSE r.hosts END,
      kept_until = CASE WHEN excluded.kept_until > 0 THEN excluded.kept_until ELSE r.kept_until END;
  FOR of_table IN SELECT DISTINCT epoch / ${EPOCHS_A_TABLE} FROM lease WHERE token = ANY (of_tokens) LOOP
    EXECUTE format('WITH ended AS (
      UPDATE batch_%s b SET state = CASE WHEN t.ends OR b.opened = b.size OR $4 OR b.epoch <= $5 THEN ''e'' ELSE ''q'' END,
        address = CASE WHEN t.address <> '''' THEN t.address ELSE b.address END
      FROM unnest($1, $2, $3) AS t (token, ends, address) JOIN lease l USING (token) WHERE b.epoch = l.epoch AND b.rank = l.rank
      RETURNING b.state = ''e'' AS is_over, b.opened - b.done_count AS lost, b.size - b.done_count AS unpaid
    ) SELECT coalesce(sum(lost), 0), coalesce(sum(unpaid), 0) FROM ended WHERE is_over', of_table)
      INTO lost_now, unpaid USING of_tokens, ends, of_addresses, withdrawn, over;
    IF unpaid > 0 THEN PERFORM charge(0, lost_now, -unpaid); END IF;
  END LOOP;
  DELETE FROM lease WHERE token = ANY (of_tokens);
END $$;

-- Takes from workers that are lost what they had; a few leases at a time.
CREATE FUNCTION expire(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  lost_workers text[];
  of_tokens bigint[];
  untils double precision[];
  addresses text[];
  now_is double precision := clock();
BEGIN
  SELECT array_agg(name) INTO lost_workers FROM (
    SELECT name FROM worker WHERE until <= now_is AND NOT is_over ORDER BY name FOR UPDATE SKIP LOCKED
  ) AS locked;
  IF lost_workers IS NULL THEN RETURN 0; END IF;
  PERFORM 1 FROM ledger FOR UPDATE;
  SELECT array_agg(p.address) INTO addresses FROM presence p WHERE p.worker = ANY (lost_workers);
  IF addresses IS NOT NULL THEN
    PERFORM lock_places(addresses);
    WITH gone AS (DELETE FROM presence p WHERE p.worker = ANY (lost_workers) RETURNING p.address)
      UPDATE place p SET taken = taken - n FROM (SELECT address, count(*) AS n FROM gone GROUP BY 1) AS g
      WHERE p.address = g.address;
  END IF;
  -- They have sent nothing since their leases ended, by their own clocks.
  SELECT array_agg(token), array_agg(ends_at + rest_seconds) INTO of_tokens, untils FROM (
    SELECT l.token, l.rest_seconds, w.until AS ends_at FROM lease l JOIN worker w ON w.name = l.worker
      WHERE l.worker = ANY (lost_workers) ORDER BY l.domain LIMIT most
  ) AS over;
  IF of_tokens IS NOT NULL THEN
    PERFORM release_leases(of_tokens, array_fill(false, ARRAY[cardinality(of_tokens)]), untils, '{}', '{}', '{}');
  END IF;
  UPDATE worker SET is_over = true WHERE name = ANY (lost_workers) AND NOT EXISTS (SELECT FROM lease l WHERE l.worker = name);
  RETURN coalesce(cardinality(of_tokens), 0);
END $$;

-- What is queued ends; for good, leases open nothing more either.
CREATE FUNCTION withdraw(for_good boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  of_epoch integer;
  over integer;
  lost_now bigint; unpaid bigint;
BEGIN
  SELECT epoch, over_epoch INTO of_epoch, over FROM ledger FOR UPDATE;
  UPDATE ledger SET is_withdrawn = for_good, over_epoch = of_epoch;
  IF of_epoch <= over THEN RETURN; END IF;
  EXECUTE format('SELECT coalesce(sum(opened - done_count), 0), coalesce(sum(size - done_count), 0) FROM batch_%s'
    ' WHERE epoch = $1 AND state = ''q''', of_epoch / ${EPOCHS_A_TABLE}) INTO lost_now, unpaid USING of_epoch;
  IF unpaid > 0 THEN PERFORM charge(0, lost_now, -unpaid); END IF;
END $$;

-- Tables of which all plans are older than that; a reader, such as a backup, must not keep the crawl waiting: then it is
-- dropped another time.
CREATE FUNCTION drop_tables(oldest_epoch integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE old_table text;
BEGIN
  FOR old_table IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename ~ '^batch_\\d+$'
      AND (substr(tablename, 7)::integer + 1) * ${EPOCHS_A_TABLE} <= oldest_epoch
      AND NOT EXISTS (SELECT FROM lease WHERE epoch / ${EPOCHS_A_TABLE} = substr(tablename, 7)::integer)
  LOOP
    BEGIN
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE NOWAIT', old_table);
      EXECUTE format('DROP TABLE %I', old_table);
    EXCEPTION WHEN lock_not_available THEN NULL;
    END;
  END LOOP;
END $$;

CREATE FUNCTION publish(
  new_epoch integer, domains text[], addresses text[], sizes integer[], rests double precision[], payloads bytea[],
  place_addresses text[], place_counts integer[], kept integer
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  old_epoch integer;
  over integer;
  room bigint;
  freed bigint := 0;
BEGIN
  SELECT epoch, over_epoch, total - spent - lost - escrow INTO old_epoch, over, room FROM ledger FOR UPDATE;
  IF new_epoch <= old_epoch THEN RAISE 'plan % is older than plan %', new_epoch, old_epoch; END IF;
  IF old_epoch > over THEN
    EXECUTE format('SELECT coalesce(sum(size - opened), 0) FROM batch_%s WHERE epoch = $1 AND state = ''q''',
      old_epoch / ${EPOCHS_A_TABLE}) INTO freed USING old_epoch;
  END IF;
  IF (SELECT coalesce(sum(size), 0) FROM unnest(sizes) AS size) > room + freed THEN
    RAISE 'plan % has more fetches than the budget allows', new_epoch;
  END IF;
  PERFORM withdraw(false);
  INSERT INTO place (address, most) SELECT * FROM unnest(place_addresses, place_counts) AS p (address, most) ORDER BY 1
    ON CONFLICT (address) DO UPDATE SET most = excluded.most WHERE place.most <> excluded.most;
  IF to_regclass(format('batch_%s', new_epoch / ${EPOCHS_A_TABLE})) IS NULL THEN
    EXECUTE format('CREATE TABLE batch_%s (
      epoch integer NOT NULL, rank integer NOT NULL, domain text NOT NULL COLLATE "C", address text NOT NULL, size integer NOT NULL, rest_seconds double precision NOT NULL,
      payload bytea NOT NULL, state "char" NOT NULL DEFAULT ''q'', opened integer NOT NULL DEFAULT 0 CHECK (opened <= size),
      done bit varying NOT NULL, done_count integer NOT NULL DEFAULT 0 CHECK (done_count <= opened), PRIMARY KEY (epoch, rank)
    ) WITH (fillfactor = 50, toast_tuple_target = 128)', new_epoch / ${EPOCHS_A_TABLE});
    -- Beside the row: each report writes that again.
    EXECUTE format('ALTER TABLE batch_%s ALTER payload SET STORAGE EXTERNAL', new_epoch / ${EPOCHS_A_TABLE});
    PERFORM drop_tables(new_epoch - kept);
  END IF;
  EXECUTE format('INSERT INTO batch_%s (epoch, rank, domain, address, size, rest_seconds, payload, done)'
    ' SELECT $6, place - 1, domain, address, size, rest, payload, repeat(''0'', size)::bit varying'
    ' FROM unnest($1, $2, $3, $4, $5) WITH ORDINALITY AS b (domain, address, size, rest, payload, place)', new_epoch / ${EPOCHS_A_TABLE})
    USING domains, addresses, sizes, rests, payloads, new_epoch;
  PERFORM charge(0, 0, (SELECT coalesce(sum(size), 0) FROM unnest(sizes) AS size));
  UPDATE ledger SET epoch = new_epoch, is_withdrawn = false;
  DELETE FROM rest WHERE greatest(ready_at, kept_until) < clock();
  DELETE FROM worker WHERE seen < clock() - 3600 AND is_over;
END $$;
${WORKER_STEPS}`
