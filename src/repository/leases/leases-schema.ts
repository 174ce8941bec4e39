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
  until double precision NOT NULL,
  rest_seconds double precision NOT NULL
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX lease_token ON lease (token);
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

CREATE FUNCTION lock_places(addresses text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO place (address) SELECT DISTINCT a COLLATE "C" FROM unnest(addresses) AS a WHERE a <> '' ORDER BY 1
    ON CONFLICT DO NOTHING;
  PERFORM 1 FROM place WHERE address = ANY (addresses) ORDER BY address FOR UPDATE;
END $$;

-- Ends leases whose rows and places are locked. What was opened stays opened, as it may have been sent: a batch that fails
-- again and again ends. What was opened and not reported is lost; what was never opened goes back to the budget.
CREATE FUNCTION release_leases(of_tokens bigint[], ends boolean[], rests_until double precision[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  newest integer;
  of_epoch integer;
  lost_now bigint;
  unpaid bigint;
BEGIN
  -- A plan that is being published must not miss what goes back to the queue.
  SELECT epoch INTO newest FROM ledger FOR UPDATE;
  UPDATE place p SET taken = taken - freed FROM (
    SELECT address, count(*) AS freed FROM lease WHERE token = ANY (of_tokens) GROUP BY address
  ) AS left_now WHERE p.address = left_now.address;
  INSERT INTO rest SELECT l.domain, t.rests_until
    FROM unnest(of_tokens, rests_until) AS t (token, rests_until) JOIN lease l USING (token) ORDER BY 1
    ON CONFLICT (domain) DO UPDATE SET ready_at = excluded.ready_at;
  FOR of_epoch IN SELECT DISTINCT epoch FROM lease WHERE token = ANY (of_tokens) LOOP
    EXECUTE format('WITH ended AS (
      UPDATE batch_%s b SET state = CASE WHEN t.ends OR b.opened = b.size OR $3 THEN ''e'' ELSE ''q'' END
      FROM unnest($1, $2) AS t (token, ends) JOIN lease l USING (token) WHERE l.epoch = $4 AND b.rank = l.rank
      RETURNING b.state = ''e'' AS is_over, b.opened - b.done_count AS lost, b.size - b.done_count AS unpaid
    ) SELECT coalesce(sum(lost), 0), coalesce(sum(unpaid), 0) FROM ended WHERE is_over', of_epoch)
      INTO lost_now, unpaid USING of_tokens, ends, newest > of_epoch, of_epoch;
    IF unpaid > 0 THEN PERFORM charge(0, lost_now, -unpaid); END IF;
  END LOOP;
  DELETE FROM lease WHERE token = ANY (of_tokens);
END $$;

CREATE FUNCTION expire(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  of_tokens bigint[];
  addresses text[];
  untils double precision[];
  now_is double precision := clock();
BEGIN
  SELECT array_agg(token), array_agg(address), array_agg(until + rest_seconds) INTO of_tokens, addresses, untils FROM (
    SELECT * FROM lease WHERE until <= now_is ORDER BY domain LIMIT most FOR UPDATE SKIP LOCKED
  ) AS over;
  IF of_tokens IS NULL THEN RETURN 0; END IF;
  PERFORM lock_places(addresses);
  -- Their workers have sent nothing since the leases ended, by their own clocks.
  PERFORM release_leases(of_tokens, array_fill(false, ARRAY[cardinality(of_tokens)]), untils);
  RETURN cardinality(of_tokens);
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

CREATE FUNCTION take_leases(worker_name text, most_leases integer, seconds double precision, from_rank integer)
RETURNS TABLE (epoch integer, rank integer, domain text, address text, size integer, rest_seconds double precision,
  payload bytea, token bigint, opened integer, done text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  plan integer;
  ranks integer[];
  addresses text[];
  now_is double precision;
BEGIN
  PERFORM expire(8);
  SELECT l.epoch INTO plan FROM ledger l;
  IF plan < 0 THEN RETURN; END IF;
  now_is := clock();
  EXECUTE format('SELECT array_agg(rank), array_agg(address) FROM (
    SELECT b.rank, b.address FROM batch_%s b WHERE b.rank >= $1 AND b.state = ''q''
      AND NOT EXISTS (SELECT FROM lease l WHERE l.domain = b.domain)
      AND NOT EXISTS (SELECT FROM rest r WHERE r.domain = b.domain AND r.ready_at > $3)
      AND NOT EXISTS (SELECT FROM place p WHERE p.address = b.address AND p.taken >= p.most)
    ORDER BY b.rank LIMIT 2 * $2 FOR UPDATE OF b SKIP LOCKED
  ) AS free', plan) INTO ranks, addresses USING from_rank, most_leases, now_is;
  IF ranks IS NULL THEN RETURN; END IF;
  PERFORM lock_places(addresses);
  RETURN QUERY EXECUTE format('WITH chosen AS MATERIALIZED (
    SELECT first.*, nextval(''token'') AS token FROM (
      SELECT b.* FROM (
        SELECT *, row_number() OVER (PARTITION BY address ORDER BY rank) AS place_wanted FROM batch_%1$s WHERE rank = ANY ($1)
      ) b LEFT JOIN place p ON p.address = b.address WHERE b.address = '''' OR b.place_wanted <= p.most - p.taken
      ORDER BY b.rank LIMIT $2
    ) first
  ), placed AS (
    UPDATE place p SET taken = p.taken + n FROM (SELECT address, count(*) AS n FROM chosen GROUP BY address) c
      WHERE p.address = c.address
  ), leased AS (
    INSERT INTO lease (domain, epoch, rank, token, worker, address, until, rest_seconds)
      SELECT domain, $3, rank, token, $4, address, $5, rest_seconds FROM chosen
  ), noted AS (
    UPDATE batch_%1$s b SET state = ''l'' FROM chosen WHERE b.rank = chosen.rank
  ) SELECT $3, rank, domain, address, size, rest_seconds, payload, token, opened, done::text FROM chosen ORDER BY rank', plan)
    USING ranks, most_leases, plan, worker_name, now_is + seconds;
END $$;

CREATE FUNCTION locate(of_token bigint, found_at text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  held lease;
BEGIN
  SELECT * INTO held FROM lease WHERE token = of_token FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  IF held.address = found_at THEN RETURN true; END IF;
  PERFORM lock_places(ARRAY[held.address, found_at]);
  UPDATE place SET taken = taken - 1 WHERE address = held.address;
  UPDATE place SET taken = taken + 1 WHERE address = found_at AND taken < most;
  UPDATE lease SET address = CASE WHEN FOUND THEN found_at ELSE '' END WHERE token = of_token RETURNING * INTO held;
  IF held.address = found_at THEN RETURN true; END IF;
  PERFORM release_leases(ARRAY[of_token], ARRAY[false], ARRAY[clock() + held.rest_seconds]);
  RETURN false;
END $$;

-- Reports are rows of epoch, rank, token, done (a bit a position, '' for none), open, ends ('e', 'b' for handed back, '') and rest.
CREATE FUNCTION report(
  worker_name text, seconds double precision, segment_name text,
  epochs integer[], ranks integer[], tokens bigint[], dones text[], opens integer[], ends text[], rests double precision[]
) RETURNS TABLE (place integer, is_lost boolean, granted integer) LANGUAGE plpgsql AS $$
DECLARE
  of_epoch integer;
  told record;
  held bigint[];
  spent_now bigint := 0;
  late_now bigint := 0;
  now_is double precision;
BEGIN
  SELECT coalesce(array_agg(token), '{}') INTO held FROM (
    SELECT token FROM lease WHERE token = ANY (tokens) ORDER BY domain FOR UPDATE
  ) AS locked;
  PERFORM lock_places(ARRAY(SELECT address FROM lease WHERE token = ANY (held)));
  -- Whoever holds the ledger is alone until the end: segments are numbered in the order in which they are seen.
  PERFORM 1 FROM ledger FOR UPDATE;
  now_is := clock();
  FOR of_epoch IN SELECT DISTINCT e FROM unnest(epochs) AS e LOOP
    CONTINUE WHEN to_regclass(format('batch_%s', of_epoch)) IS NULL;
    -- Work that comes late counts too, where nobody else has done it.
    FOR told IN EXECUTE format('UPDATE batch_%1$s b SET done = b.done | rpad(t.done, b.size, ''0'')::bit varying,
        done_count = bit_count(b.done | rpad(t.done, b.size, ''0'')::bit varying), opened = least(b.size, b.opened + t.open)
      FROM (
        SELECT place, rank, done, CASE WHEN ends = '''' AND token = ANY ($8) THEN open ELSE 0 END AS open
        FROM unnest($1, $2, $3, $4, $5, $6) WITH ORDINALITY AS told (epoch, rank, token, done, open, ends, place) WHERE epoch = $7
      ) t JOIN batch_%1$s old USING (rank) WHERE b.rank = t.rank
      RETURNING t.place, b.done_count - old.done_count AS fresh, b.opened - old.opened AS granted, old.state = ''e'' AS is_over', of_epoch)
      USING epochs, ranks, tokens, dones, opens, ends, of_epoch, held
    LOOP
      IF told.is_over THEN late_now := late_now + told.fresh; ELSE spent_now := spent_now + told.fresh; END IF;
      RETURN QUERY SELECT told.place::integer, NOT tokens[told.place] = ANY (held), told.granted;
    END LOOP;
  END LOOP;
  IF spent_now + late_now > 0 THEN PERFORM charge(spent_now + late_now, -late_now, -spent_now); END IF;
  UPDATE lease SET until = now_is + seconds WHERE token = ANY (held);
  SELECT array_agg(t.token) AS tokens, array_agg(t.ends = 'e') AS ends, array_agg(now_is + t.rest) AS rests INTO told
    FROM unnest(tokens, ends, rests) AS t (token, ends, rest) WHERE t.ends <> '' AND t.token = ANY (held);
  IF told.tokens IS NOT NULL THEN PERFORM release_leases(told.tokens, told.ends, told.rests); END IF;
  IF segment_name <> '' THEN
    INSERT INTO segment SELECT coalesce(max(sequence), 0) + 1, segment_name, worker_name FROM segment
      ON CONFLICT (name) DO NOTHING;
  END IF;
END $$;
`
