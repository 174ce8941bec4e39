/** Another number whenever the statements below change: who finds another one there must not go on. */
export const SCHEMA_VERSION = 1

/**
 * Tables and functions of one crawl, made in a schema of its own. Each step is one function, so one transaction.
 *
 * - Batches of a plan have a table of their own: it is dropped whole, as deleted rows would slow down every lease
 *   while a long transaction keeps them (a backup, a forgotten connection).
 * - Leases go by a cursor over ranks for the same reason; never from the head of an index.
 * - Locks are taken in one order: leases by domain, places by address, the ledger, batches. Leasing alone locks batches
 *   first, and never the ledger after that.
 */
export const LEASES_SCHEMA = `
CREATE TABLE ledger (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version integer NOT NULL,
  epoch integer NOT NULL DEFAULT -1,
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
  address text NOT NULL,
  until double precision NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX lease_token ON lease (token);
CREATE TABLE place (
  address text COLLATE "C" PRIMARY KEY,
  most integer NOT NULL DEFAULT 1,
  taken integer NOT NULL DEFAULT 0 CHECK (taken >= 0)
) WITH (fillfactor = 50);
CREATE TABLE rest (
  domain text COLLATE "C" PRIMARY KEY,
  ready_at double precision NOT NULL
);
CREATE TABLE segment (
  sequence bigint PRIMARY KEY,
  name text NOT NULL UNIQUE,
  worker text NOT NULL
);
CREATE SEQUENCE token;

-- The server's clock; workers and planner go by differences of their own.
CREATE FUNCTION clock() RETURNS double precision LANGUAGE sql AS
$$ SELECT extract(epoch FROM clock_timestamp())::double precision $$;

CREATE FUNCTION charge(spent_more bigint, lost_more bigint, escrow_more bigint) RETURNS void LANGUAGE sql AS
$$ UPDATE ledger SET spent = spent + spent_more, lost = lost + lost_more, escrow = escrow + escrow_more $$;

CREATE FUNCTION leave_place(at text) RETURNS void LANGUAGE sql AS
$$ UPDATE place SET taken = taken - 1 WHERE address = at $$;

-- True where there was room. An address without a name needs none.
CREATE FUNCTION take_place(at text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF at = '' THEN RETURN true; END IF;
  UPDATE place SET taken = taken + 1 WHERE address = at AND taken < most;
  RETURN FOUND;
END $$;

-- What was opened stays opened, as it may have been sent: a batch that fails again and again ends. What was opened and
-- not reported is lost; what was never opened goes back to the budget.
CREATE FUNCTION release(held lease, ends boolean, rests_until double precision) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  is_over boolean;
  paid bigint;
  unpaid bigint;
  newest integer;
BEGIN
  -- A plan that is being published must not miss what goes back to the queue.
  SELECT epoch INTO newest FROM ledger FOR UPDATE;
  DELETE FROM lease WHERE domain = held.domain;
  IF held.address <> '' THEN PERFORM leave_place(held.address); END IF;
  INSERT INTO rest VALUES (held.domain, rests_until)
    ON CONFLICT (domain) DO UPDATE SET ready_at = excluded.ready_at;
  EXECUTE format('UPDATE batch_%s b SET state = CASE WHEN $2 OR b.opened = b.size OR $3 THEN ''e'' ELSE ''q'' END'
    ' WHERE b.rank = $1 RETURNING b.state = ''e'', b.opened - b.done_count, b.size - b.done_count', held.epoch)
    INTO is_over, paid, unpaid USING held.rank, ends, newest > held.epoch;
  IF is_over THEN PERFORM charge(0, paid, -unpaid); END IF;
END $$;

CREATE FUNCTION lock_places(addresses text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO place (address) SELECT DISTINCT a COLLATE "C" FROM unnest(addresses) AS a WHERE a <> '' ORDER BY 1
    ON CONFLICT DO NOTHING;
  PERFORM 1 FROM place WHERE address = ANY (addresses) ORDER BY address FOR UPDATE;
END $$;

CREATE FUNCTION expire(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  over lease[];
  held lease;
  rest_seconds double precision;
BEGIN
  SELECT array_agg(l ORDER BY l.domain) INTO over FROM (
    SELECT * FROM lease WHERE until <= clock() ORDER BY domain LIMIT most FOR UPDATE SKIP LOCKED
  ) l;
  IF over IS NULL THEN RETURN 0; END IF;
  PERFORM lock_places(ARRAY(SELECT address FROM unnest(over)));
  FOREACH held IN ARRAY over LOOP
    EXECUTE format('SELECT rest_seconds FROM batch_%s WHERE rank = $1', held.epoch) INTO rest_seconds USING held.rank;
    -- Its worker has sent nothing since the lease ended, by its own clock.
    PERFORM release(held, false, held.until + rest_seconds);
  END LOOP;
  RETURN cardinality(over);
END $$;

CREATE FUNCTION publish(
  new_epoch integer, domains text[], addresses text[], sizes integer[], rests double precision[], payloads bytea[],
  place_addresses text[], place_counts integer[], kept integer
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  old_epoch integer;
  room bigint;
  freed bigint := 0;
  paid bigint;
  unpaid bigint;
  old_table text;
BEGIN
  INSERT INTO place (address, most) SELECT * FROM unnest(place_addresses, place_counts) AS p (address, most) ORDER BY 1
    ON CONFLICT (address) DO UPDATE SET most = excluded.most;
  SELECT epoch, total - spent - lost - escrow INTO old_epoch, room FROM ledger FOR UPDATE;
  IF new_epoch <= old_epoch THEN RAISE 'plan % is older than plan %', new_epoch, old_epoch; END IF;
  IF old_epoch >= 0 THEN
    EXECUTE format('SELECT coalesce(sum(size - opened), 0) FROM batch_%s WHERE state = ''q''', old_epoch) INTO freed;
  END IF;
  IF (SELECT coalesce(sum(size), 0) FROM unnest(sizes) AS size) > room + freed THEN
    RAISE 'plan % has more fetches than the budget allows', new_epoch;
  END IF;
  IF old_epoch >= 0 THEN
    EXECUTE format('WITH ended AS (UPDATE batch_%s SET state = ''e'' WHERE state = ''q'' RETURNING opened, size, done_count)'
      ' SELECT coalesce(sum(opened - done_count), 0), coalesce(sum(size - done_count), 0) FROM ended', old_epoch)
      INTO paid, unpaid;
    PERFORM charge(0, paid, -unpaid);
  END IF;
  EXECUTE format('CREATE TABLE batch_%s (
    rank integer PRIMARY KEY, domain text NOT NULL COLLATE "C", address text NOT NULL, size integer NOT NULL, rest_seconds double precision NOT NULL,
    payload bytea NOT NULL, state "char" NOT NULL DEFAULT ''q'', opened integer NOT NULL DEFAULT 0 CHECK (opened <= size),
    done bit varying NOT NULL, done_count integer NOT NULL DEFAULT 0 CHECK (done_count <= opened)
  ) WITH (fillfactor = 50, toast_tuple_target = 128)', new_epoch);
  -- Beside the row: each report writes that again.
  EXECUTE format('ALTER TABLE batch_%s ALTER payload SET STORAGE EXTERNAL', new_epoch);
  EXECUTE format('INSERT INTO batch_%s (rank, domain, address, size, rest_seconds, payload, done)'
    ' SELECT place - 1, domain, address, size, rest, payload, repeat(''0'', size)::bit varying'
    ' FROM unnest($1, $2, $3, $4, $5) WITH ORDINALITY AS b (domain, address, size, rest, payload, place)', new_epoch)
    USING domains, addresses, sizes, rests, payloads;
  PERFORM charge(0, 0, (SELECT coalesce(sum(size), 0) FROM unnest(sizes) AS size));
  UPDATE ledger SET epoch = new_epoch;
  DELETE FROM rest WHERE ready_at < clock();
  -- A reader of an old table, such as a backup, must not keep the crawl waiting: it is dropped another time.
  FOR old_table IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename ~ '^batch_\\d+$'
      AND substr(tablename, 7)::integer <= new_epoch - kept
      AND NOT EXISTS (SELECT FROM lease WHERE epoch = substr(tablename, 7)::integer)
  LOOP
    BEGIN
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE NOWAIT', old_table);
      EXECUTE format('DROP TABLE %I', old_table);
    EXCEPTION WHEN lock_not_available THEN NULL;
    END;
  END LOOP;
END $$;

CREATE FUNCTION take_leases(worker_name text, most integer, seconds double precision, from_rank integer)
RETURNS TABLE (epoch integer, rank integer, domain text, address text, size integer, rest_seconds double precision,
  payload bytea, token bigint, opened integer, done text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  plan integer;
  candidate record;
  room integer := most;
  new_token bigint;
BEGIN
  PERFORM expire(8);
  SELECT l.epoch INTO plan FROM ledger l;
  IF plan < 0 THEN RETURN; END IF;
  FOR candidate IN EXECUTE format(
    'WITH free AS MATERIALIZED (SELECT b.* FROM batch_%s b WHERE b.rank >= $1 AND b.state = ''q'''
    ' AND NOT EXISTS (SELECT FROM lease l WHERE l.domain = b.domain)'
    ' AND NOT EXISTS (SELECT FROM rest r WHERE r.domain = b.domain AND r.ready_at > clock())'
    ' AND NOT EXISTS (SELECT FROM place p WHERE p.address = b.address AND p.taken >= p.most)'
    ' ORDER BY b.rank LIMIT 2 * $2 FOR UPDATE OF b SKIP LOCKED),'
    ' locked AS MATERIALIZED (SELECT lock_places(ARRAY(SELECT address FROM free)))'
    ' SELECT free.* FROM free, locked ORDER BY rank', plan) USING from_rank, most
  LOOP
    EXIT WHEN room = 0;
    CONTINUE WHEN NOT take_place(candidate.address);
    new_token := nextval('token');
    INSERT INTO lease VALUES
      (candidate.domain, plan, candidate.rank, new_token, worker_name, candidate.address, clock() + seconds);
    EXECUTE format('UPDATE batch_%s SET state = ''l'' WHERE rank = $1', plan) USING candidate.rank;
    room := room - 1;
    RETURN QUERY SELECT plan, candidate.rank, candidate.domain, candidate.address, candidate.size, candidate.rest_seconds,
      candidate.payload, new_token, candidate.opened, candidate.done::text;
  END LOOP;
END $$;

CREATE FUNCTION locate(of_epoch integer, of_rank integer, of_token bigint, found_at text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  held lease;
  rest_seconds double precision;
BEGIN
  SELECT * INTO held FROM lease WHERE token = of_token AND epoch = of_epoch AND rank = of_rank FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  IF held.address = found_at THEN RETURN true; END IF;
  PERFORM lock_places(ARRAY[held.address, found_at]);
  IF held.address <> '' THEN PERFORM leave_place(held.address); END IF;
  UPDATE lease SET address = CASE WHEN take_place(found_at) THEN found_at ELSE '' END
    WHERE domain = held.domain RETURNING * INTO held;
  IF held.address = found_at THEN RETURN true; END IF;
  EXECUTE format('SELECT rest_seconds FROM batch_%s WHERE rank = $1', held.epoch) INTO rest_seconds USING held.rank;
  PERFORM release(held, false, clock() + rest_seconds);
  RETURN false;
END $$;

-- Reports are rows of epoch, rank, token, done (a bit a position, '' for none), open, ends ('e', 'b' for handed back, '') and rest.
CREATE FUNCTION report(
  worker_name text, seconds double precision, segment_name text,
  epochs integer[], ranks integer[], tokens bigint[], dones text[], opens integer[], ends text[], rests double precision[]
) RETURNS TABLE (place integer, is_lost boolean, granted integer) LANGUAGE plpgsql AS $$
DECLARE
  told record;
  held lease;
  fresh bigint;
  was_over boolean;
  spent_now bigint := 0;
  late_now bigint := 0;
  given integer;
BEGIN
  PERFORM 1 FROM lease WHERE token = ANY (tokens) ORDER BY domain FOR UPDATE;
  PERFORM lock_places(ARRAY(SELECT address FROM lease WHERE token = ANY (tokens)));
  -- Whoever holds the ledger is alone until the end: segments are numbered in the order in which they are seen.
  PERFORM 1 FROM ledger FOR UPDATE;
  FOR told IN SELECT * FROM unnest(epochs, ranks, tokens, dones, opens, ends, rests) WITH ORDINALITY
      AS t (epoch, rank, token, done, open, ends, rest, place) ORDER BY t.epoch, t.rank
  LOOP
    given := 0;
    IF to_regclass(format('batch_%s', told.epoch)) IS NULL THEN
      RETURN QUERY SELECT told.place::integer, true, 0;
      CONTINUE;
    END IF;
    IF told.done <> '' THEN
      EXECUTE format('UPDATE batch_%s b SET done = b.done | rpad($2, b.size, ''0'')::bit varying,'
        ' done_count = bit_count(b.done | rpad($2, b.size, ''0'')::bit varying)'
        ' FROM batch_%1$s old WHERE b.rank = $1 AND old.rank = $1 RETURNING b.done_count - old.done_count, b.state = ''e''', told.epoch)
        INTO fresh, was_over USING told.rank, told.done;
      IF was_over THEN late_now := late_now + fresh; ELSE spent_now := spent_now + fresh; END IF;
    END IF;
    SELECT * INTO held FROM lease l WHERE l.token = told.token AND l.epoch = told.epoch AND l.rank = told.rank;
    IF NOT FOUND THEN
      RETURN QUERY SELECT told.place::integer, true, 0;
      CONTINUE;
    END IF;
    IF told.ends <> '' THEN
      PERFORM charge(spent_now + late_now, -late_now, -spent_now);
      spent_now := 0;
      late_now := 0;
      PERFORM release(held, told.ends = 'e', clock() + told.rest);
    ELSE
      IF told.open > 0 THEN
        EXECUTE format('UPDATE batch_%s b SET opened = least(b.size, b.opened + $2) FROM batch_%1$s old'
          ' WHERE b.rank = $1 AND old.rank = $1 RETURNING b.opened - old.opened', told.epoch) INTO given USING told.rank, told.open;
      END IF;
      UPDATE lease SET until = clock() + seconds WHERE domain = held.domain;
    END IF;
    RETURN QUERY SELECT told.place::integer, false, given;
  END LOOP;
  IF spent_now + late_now > 0 THEN PERFORM charge(spent_now + late_now, -late_now, -spent_now); END IF;
  IF segment_name <> '' THEN
    INSERT INTO segment SELECT coalesce(max(sequence), 0) + 1, segment_name, worker_name FROM segment
      ON CONFLICT (name) DO NOTHING;
  END IF;
END $$;
`
