import { EPOCHS_A_TABLE, EPOCHS_KEPT } from '#crawl/leases/leases.ts'
import { BATCH_TABLES, batchTable } from './batch-table-schema.ts'
import { WORKER_STEPS } from './worker-steps-schema.ts'

/** Another number whenever the statements below, or those of the workers' steps, change: who finds another one there must not go on. */
export const SCHEMA_VERSION = 11

/**
 * Tables and functions of one crawl, made in a schema of its own. Each step is one function, so one transaction.
 *
 * - Batches of some plans are forgotten together, by emptying their table: deleted rows would slow down every lease
 *   while a long transaction keeps them (a backup, a forgotten connection).
 * - Leases go by a cursor over ranks for the same reason; never from the head of an index.
 * - A worker's leases last as long as its own row says: to renew fifty of them is to write one row. Whoever changes them
 *   has that row first.
 * - What is queued of a plan that was replaced is over without being written: the ledger says up to which plan.
 * - Locks are taken in one order: workers, the ledger, then batches, domains and places, these by address. Who leases
 *   shares the ledger with others who do, and with nobody who ends what is queued.
 */
export const LEASES_SCHEMA = `
CREATE TABLE ledger (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version integer NOT NULL,
  epoch integer NOT NULL DEFAULT -1,
  announced text NOT NULL DEFAULT '',
  is_withdrawn boolean NOT NULL DEFAULT false,
  over_epoch integer NOT NULL DEFAULT -1, -- what is queued of plans up to this one has ended
  first_a integer NOT NULL DEFAULT 0, -- the first plan that each table has
  first_b integer NOT NULL DEFAULT -1,
  total bigint NOT NULL DEFAULT 0,
  spent bigint NOT NULL DEFAULT 0 CHECK (spent >= 0),
  lost bigint NOT NULL DEFAULT 0 CHECK (lost >= 0),
  escrow bigint NOT NULL DEFAULT 0 CHECK (escrow >= 0),
  CONSTRAINT within_budget CHECK (spent + lost + escrow <= total)
);
-- A batch that the worker of its domain has; the turn is the one in which it asked.
CREATE TYPE held_batch AS (epoch integer, rank integer, token bigint, turn bigint);
-- A domain that somebody has, or that rests; and what whoever is next must know of its hosts.
CREATE TABLE domain_state (
  domain text COLLATE "C" PRIMARY KEY,
  ready_at double precision NOT NULL DEFAULT 0,
  hosts text NOT NULL DEFAULT '',
  kept_until double precision NOT NULL DEFAULT 0,
  worker text, -- null if nobody has it
  held held_batch[] NOT NULL DEFAULT '{}', -- the one that is fetched, and at times the next
  rest_seconds double precision
) WITH (fillfactor = 50);
CREATE TABLE place (
  address text COLLATE "C" PRIMARY KEY,
  most integer NOT NULL DEFAULT 1,
  taken integer NOT NULL DEFAULT 0 CHECK (taken >= 0)
) WITH (fillfactor = 50);
-- A worker has at most one place at an address, for all domains that it asks there; the turn is its own count.
CREATE TABLE presence (
  worker text NOT NULL,
  address text COLLATE "C" NOT NULL,
  turn bigint NOT NULL,
  PRIMARY KEY (worker, address)
) WITH (fillfactor = 50);
CREATE TABLE worker (
  name text PRIMARY KEY,
  since double precision NOT NULL,
  seen double precision NOT NULL,
  until double precision NOT NULL, -- its leases and places, too
  is_over boolean NOT NULL DEFAULT false, -- it is lost, and all that it had is taken from it
  done bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE segment (
  sequence bigint PRIMARY KEY,
  name text NOT NULL UNIQUE,
  worker text NOT NULL,
  -- Epoch, rank and bits of what had been reported before, one a line.
  repeated text NOT NULL
);
CREATE SEQUENCE token;

CREATE TYPE batch_state AS (epoch integer, rank integer, state text, opened integer, done text);
CREATE TYPE leased_batch AS (epoch integer, rank integer, domain text, address text, size integer, rest_seconds double precision,
  payload bytea, token bigint, opened integer, granted integer, done text, hosts text);
-- Of the leases that a report tells of and the worker has, by their places there: which, how many more it may send, and those that end. In all,
-- what is done for the first time, and what of that cost nothing; of batches that are over, what is lost, and what their escrow still had; what had
-- been reported before.
CREATE TYPE told_batches AS (places integer[], grants integer[], ended integer[], ended_domains text[], fresh bigint, free bigint, lost bigint,
  unpaid bigint, again text);
${BATCH_TABLES.map(batchTable).join('')}
-- The server's clock; workers and planner go by differences of their own.
CREATE FUNCTION clock() RETURNS double precision LANGUAGE sql AS
$$ SELECT extract(epoch FROM clock_timestamp())::double precision $$;

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
    INSERT INTO presence (worker, address, turn) SELECT worker_name, address, of_turn FROM place
      WHERE address = ANY (addresses) AND taken < most ORDER BY address
      ON CONFLICT DO NOTHING RETURNING address
  ) UPDATE place p SET taken = taken + 1 FROM fresh WHERE p.address = fresh.address;
  RETURN QUERY SELECT address FROM presence WHERE worker = worker_name AND address = ANY (addresses) ORDER BY 1;
END $$;

-- The same, where most are places that it has already; an address may be ''.
CREATE FUNCTION places_at(worker_name text, addresses text[], of_turn bigint) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  had text[];
  others text[];
BEGIN
  UPDATE presence SET turn = of_turn WHERE worker = worker_name AND address = ANY (addresses) AND turn < of_turn;
  had := ARRAY(SELECT address FROM presence WHERE worker = worker_name AND address = ANY (addresses));
  others := ARRAY(SELECT DISTINCT a FROM unnest(addresses) AS a WHERE a <> '' AND a <> ALL (had));
  IF cardinality(others) = 0 THEN RETURN had; END IF;
  PERFORM lock_places(others);
  RETURN had || ARRAY(SELECT take_places(worker_name, others, of_turn));
END $$;

CREATE FUNCTION arrive(worker_name text, seconds double precision, addresses text[], of_turn bigint) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_worker(worker_name, seconds);
  PERFORM lock_places(addresses);
  RETURN QUERY SELECT take_places(worker_name, addresses, of_turn);
END $$;

-- Takes leases from workers whose rows are locked. What was opened stays opened, as it may have been sent: a batch that
-- fails again and again ends. What was opened and not reported is lost; what was never opened goes back to the budget.
CREATE FUNCTION release(domains text[], rests_until double precision[], tokens bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  of_ledger ledger;
  a record;
  b record;
BEGIN
  -- A plan that is being published must not miss what goes back to the queue.
  SELECT * INTO of_ledger FROM ledger FOR UPDATE;
  a := release_in_a(domains, tokens, of_ledger.over_epoch, of_ledger.is_withdrawn);
  b := release_in_b(domains, tokens, of_ledger.over_epoch, of_ledger.is_withdrawn);
  IF a.unpaid + b.unpaid > 0 THEN
    UPDATE ledger SET lost = lost + a.lost + b.lost, escrow = escrow - a.unpaid - b.unpaid;
  END IF;
  PERFORM leave(domains, rests_until, tokens);
END $$;

-- Batches that have ended or gone back are nobody's; a domain of which nothing else is held rests until then. What is known of its hosts is
-- kept if there is something.
CREATE FUNCTION leave(
  domains text[], rests_until double precision[], tokens bigint[], of_hosts text[] DEFAULT NULL, keep_until double precision[] DEFAULT NULL
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE domain_state d SET held = t.others, worker = CASE WHEN t.others = '{}' THEN NULL ELSE d.worker END, ready_at = t.rests_until,
      hosts = CASE WHEN t.hosts <> '' THEN t.hosts ELSE d.hosts END, kept_until = CASE WHEN t.hosts <> '' THEN t.keep_until ELSE d.kept_until END
    FROM (
      SELECT o.ctid AS at, u.rests_until, u.hosts, u.keep_until, ARRAY(SELECT h FROM unnest(o.held) AS h WHERE h.token <> ALL (tokens)) AS others
      FROM unnest(domains, rests_until, of_hosts, keep_until) AS u (domain, rests_until, hosts, keep_until) JOIN domain_state o ON o.domain = u.domain
      OFFSET 0
    ) AS t WHERE d.ctid = t.at; -- it is as it was: who writes what is leased has the ledger
END $$;

-- Takes from workers that are lost what they had; a few leases at a time.
CREATE FUNCTION expire(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  lost_workers text[];
  domains text[];
  untils double precision[];
  tokens bigint[];
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
  SELECT array_agg(domain), array_agg(ends_at + rest_seconds) INTO domains, untils FROM (
    SELECT d.domain, d.rest_seconds, w.until AS ends_at FROM domain_state d JOIN worker w ON w.name = d.worker
      WHERE d.worker = ANY (lost_workers) ORDER BY d.domain LIMIT most
  ) AS over;
  IF domains IS NOT NULL THEN
    SELECT array_agg(h.token) INTO tokens FROM domain_state d, unnest(d.held) AS h WHERE d.domain = ANY (domains);
    PERFORM release(domains, untils, tokens);
  END IF;
  UPDATE worker SET is_over = true WHERE name = ANY (lost_workers) AND NOT EXISTS (SELECT FROM domain_state d WHERE d.worker = name);
  RETURN coalesce(cardinality(tokens), 0);
END $$;

-- What is queued of the latest plan: of what was opened, what is not done; and all that is not done.
CREATE FUNCTION queued(of_ledger ledger, OUT lost bigint, OUT unpaid bigint) LANGUAGE plpgsql AS $$
BEGIN
  lost := 0;
  unpaid := 0;
  IF of_ledger.epoch <= of_ledger.over_epoch THEN RETURN; END IF;
  IF of_ledger.first_a > of_ledger.first_b THEN SELECT * INTO lost, unpaid FROM queued_in_a(of_ledger.epoch);
  ELSE SELECT * INTO lost, unpaid FROM queued_in_b(of_ledger.epoch); END IF;
END $$;

-- What is queued ends; for good, leases open nothing more either.
CREATE FUNCTION withdraw(for_good boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  of_ledger ledger;
  of_queue record;
BEGIN
  SELECT * INTO of_ledger FROM ledger FOR UPDATE;
  of_queue := queued(of_ledger);
  UPDATE ledger SET is_withdrawn = for_good, over_epoch = epoch, lost = lost + of_queue.lost, escrow = escrow - of_queue.unpaid
    WHERE is_withdrawn <> for_good OR over_epoch < epoch;
END $$;

-- The next plans go into the other table once this one has enough of them, nobody has a batch of the other, and nobody
-- reads it, such as a backup: it must not keep the crawl waiting. Then they go there another time.
CREATE FUNCTION change_tables(of_ledger ledger, new_epoch integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF new_epoch - greatest(of_ledger.first_a, of_ledger.first_b) < ${Math.max(EPOCHS_A_TABLE, EPOCHS_KEPT)}
    OR EXISTS (SELECT FROM domain_state d, unnest(d.held) AS h WHERE h.epoch < greatest(of_ledger.first_a, of_ledger.first_b)) THEN RETURN; END IF;
  IF of_ledger.first_a > of_ledger.first_b THEN
    LOCK TABLE batch_b IN ACCESS EXCLUSIVE MODE NOWAIT;
    TRUNCATE batch_b;
    UPDATE ledger SET first_b = new_epoch;
  ELSE
    LOCK TABLE batch_a IN ACCESS EXCLUSIVE MODE NOWAIT;
    TRUNCATE batch_a;
    UPDATE ledger SET first_a = new_epoch;
  END IF;
EXCEPTION WHEN lock_not_available THEN NULL;
END $$;

CREATE FUNCTION publish(
  new_epoch integer, domains text[], addresses text[], sizes integer[], rests double precision[], payloads bytea[],
  place_addresses text[], place_counts integer[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  of_ledger ledger;
  of_queue record;
  wanted bigint := (SELECT coalesce(sum(size), 0) FROM unnest(sizes) AS size);
BEGIN
  SELECT * INTO of_ledger FROM ledger FOR UPDATE;
  IF new_epoch <= of_ledger.epoch THEN RAISE 'plan % is older than plan %', new_epoch, of_ledger.epoch; END IF;
  of_queue := queued(of_ledger);
  IF wanted > of_ledger.total - of_ledger.spent - of_ledger.lost - of_ledger.escrow + of_queue.unpaid - of_queue.lost THEN
    RAISE 'plan % has more fetches than the budget allows', new_epoch;
  END IF;
  INSERT INTO place (address, most) SELECT * FROM unnest(place_addresses, place_counts) AS p (address, most) ORDER BY 1
    ON CONFLICT (address) DO UPDATE SET most = excluded.most WHERE place.most <> excluded.most;
  PERFORM change_tables(of_ledger, new_epoch);
  SELECT * INTO of_ledger FROM ledger;
  IF of_ledger.first_a > of_ledger.first_b THEN PERFORM insert_in_a(new_epoch, domains, addresses, sizes, rests, payloads);
  ELSE PERFORM insert_in_b(new_epoch, domains, addresses, sizes, rests, payloads); END IF;
  UPDATE ledger SET epoch = new_epoch, over_epoch = of_ledger.epoch, is_withdrawn = false, lost = lost + of_queue.lost,
    escrow = escrow - of_queue.unpaid + wanted;
  DELETE FROM domain_state WHERE worker IS NULL AND greatest(ready_at, kept_until) < clock();
  DELETE FROM worker WHERE seen < clock() - 3600 AND is_over;
END $$;
${WORKER_STEPS}`
