import { existsSync, renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { StatementSync } from 'node:sqlite';
import { dayOf as utcDayOf } from '../core/credits/usage.ts';
import type { RecipientReply } from '../core/smtp/session.ts';
import type { Gate } from '../core/turns/gate.ts';
import { UNBLEMISHED } from '../core/turns/pause.ts';
import type { Standing } from '../core/turns/pause.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import { describeError, log } from '../lib/log.ts';
import { DAY_MS, dayAfter } from '../lib/time.ts';
import type { AskingAccount } from '../wire/prober-state.ts';
import type { Clock } from '../lib/time.ts';

/** How many entries of a kind are kept; those about to expire give way. */
const LIMITS = {
	/** Our standing at a gate (`google by direct`), or with a domain there. */
	standing: 100_000,
	/** A gate's use of the day, and who used it the day before. */
	spent: 100_000,
	/** A domain's answers to invented recipients. */
	domain: 100_000,
	/** Day, digest of the domain and account: how many addresses it asked about. */
	asked: 1_000_000,
	/** When a source address was used first, epoch ms. */
	since: Infinity,
};
type Kind = keyof typeof LIMITS;

const SCHEMA = `
	PRAGMA journal_mode = WAL;
	PRAGMA synchronous = NORMAL;
	CREATE TABLE IF NOT EXISTS kept (
		kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (kind, name)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS kept_until ON kept (kind, until);
`;

// Entries that are out of date are removed now and then.
const WRITES_PER_CLEANING = 1_000;
// A transaction for each write would cost a tenth of the question that it is about. A crash loses so much at most.
const COMMIT_EVERY_MS = 1_000;
// A pause is remembered after its end, so that one question tries whether it is over before all do.
const KEPT_MS = DAY_MS;
// Long enough for an admin to see it.
const LISTED_KEPT_MS = 7 * DAY_MS;
// Nothing that a domain said is believed for longer: what seems to be is of a clock that was ahead.
const DOMAIN_KEPT_MS_MAX = 7 * DAY_MS;
const FOR_EVER = Number.MAX_SAFE_INTEGER;
// So long an abuse report about a domain and a day leads to an account.
const ASKED_KEPT_MS = 8 * DAY_MS;
const ASKERS_MAX = 100;
// Domains that one account adds a day: it must not push out the days before.
const ASKED_OF_ONE_MAX = 20_000;

// https://www.sqlite.org/rescode.html, in the lowest octet: SQLITE_IOERR and SQLITE_FULL; SQLITE_CORRUPT and SQLITE_NOTADB.
const DISK_ERRORS: ReadonlySet<number> = new Set([10, 13]);
const DAMAGES: ReadonlySet<number> = new Set([11, 26]);

/**
 * The memory of a prober across a restart: how operators stand to its source addresses, what was used of the day's budgets,
 * and what domains said to invented recipients. No address of anybody. A disk that fails costs memory, never an answer:
 * what can't be written is forgotten, and said in the log.
 */
export class ProberMemory {
	readonly #db: DatabaseSync;
	readonly #clock: Clock;
	/** Looked at before every connection; a disk that fails must not make us forget that we were refused. */
	readonly #standings: ExpiringMap<Standing>;
	readonly #limits: Readonly<Record<Kind, number>>;
	readonly #statements = new Map<string, StatementSync>();
	/** Gates whose use of the day the next commit writes down as it is then: to list all who asked takes a millisecond. */
	readonly #used = new Map<string, Pick<Gate, 'spent'>>();
	/** Commits what was written: this connection reads its writes before. */
	readonly #timer: NodeJS.Timeout;
	#writes = 0;
	/** How many domains each account asked about first today. */
	readonly #newlyAsked = new ExpiringMap<number>(LIMITS.standing);
	/** The last write failed. */
	#lastFailed = false;
	/** It lives in memory. */
	#isForgetful = false;
	/** When a damaged file was set aside, epoch ms; null: this one is whole. */
	setAsideAt: number | null = null;

	/**
	 * Opens the database. A damaged one is set aside, under a name with the time, so that it can be looked at: with a new
	 * one every source address is new, which is too slow rather than too fast. So it is with a disk that takes nothing, where
	 * the database lives in memory. Throws for any other reason, such as a folder that is not there.
	 *
	 * @param file `:memory:`: nothing survives
	 */
	constructor(file: string, clock: Clock, limits: Partial<typeof LIMITS> = {}) {
		this.#clock = clock;
		this.#db = this.#open(file);
		this.#limits = { ...LIMITS, ...limits };
		this.#standings = new ExpiringMap(this.#limits.standing);
		const kept = this.#db.prepare(
			"SELECT name, value, until FROM kept WHERE kind = 'standing' AND until > ? AND json_valid(value) ORDER BY until",
		);
		for (const { name, value, until } of kept.all(clock.now()))
			this.#standings.set(String(name), JSON.parse(String(value)) as Standing, Number(until));
		this.#timer = setInterval(() => this.#commit(), COMMIT_EVERY_MS).unref();
	}

	/** Nothing is kept at the moment: for `GET /state`. */
	get isFailing(): boolean {
		return this.#isForgetful || this.#lastFailed;
	}

	/** The domain's answers to invented recipients, while they are believed. */
	find(domain: string, now: number): readonly RecipientReply[] | null {
		return this.#get('domain', domain, now, now + DOMAIN_KEPT_MS_MAX) as readonly RecipientReply[] | null;
	}

	/** @param until epoch milliseconds */
	keep(domain: string, replies: readonly RecipientReply[], until: number): void {
		this.#put('domain', domain, replies, until);
	}

	/** The standing at a gate, or of a domain there. */
	standing(name: string): Standing {
		return this.#standings.get(name, this.#clock.now()) ?? UNBLEMISHED;
	}

	/** An unblemished one is out of date at once. */
	keepStanding(name: string, standing: Standing): void {
		const { pause, struckAt, listedSince } = standing;
		const keptMs = listedSince === null ? KEPT_MS : LISTED_KEPT_MS;
		const until = standing === UNBLEMISHED ? 0 : (pause?.until ?? this.#clock.now()) + keptMs;
		this.#standings.set(name, standing, until);
		this.#put('standing', name, standing, until);
		// No crash makes us forget that we were refused.
		if (pause !== null || struckAt !== null) this.#commit();
	}

	/** All standings that are in force. */
	standings(): readonly { readonly name: string; readonly standing: Standing }[] {
		return [...this.#standings.entries(this.#clock.now())].map(([name, standing]) => ({ name, standing }));
	}

	/** The gate's use of today, and the shares that used it yesterday; null: none. */
	spentOf(name: string): Gate['spent'] | null {
		const kept = this.#used.get(name)?.spent ?? this.#get('spent', name, this.#clock.now());
		return kept as Gate['spent'] | null;
	}

	keepSpent(name: string, gate: Pick<Gate, 'spent'>): void {
		this.#used.set(name, gate);
	}

	/** When the source address was used first, epoch ms; the first to ask is that. A clock that was ahead is put right. */
	usedSince(egress: string): number {
		const now = this.#clock.now();
		const kept = this.#get('since', egress, now);
		// Where nothing can be kept, it is new each time: better too slow than too fast.
		const since = typeof kept === 'number' ? Math.min(kept, now) : now;
		if (since !== kept) this.#put('since', egress, since, FOR_EVER);
		return since;
	}

	/**
	 * Counts addresses of a domain that an account asked about today (UTC).
	 *
	 * @param digest the keyed hash of the domain, in hex
	 */
	noteAsked(digest: string, asker: string, addresses: number): void {
		const now = this.#clock.now();
		const name = `${utcDayOf(now)} ${digest} ${asker}`;
		const before = this.#get('asked', name, now) as number | null;
		if (before === null) {
			const known = this.#newlyAsked.get(asker, now) ?? 0;
			if (known >= ASKED_OF_ONE_MAX) return;
			this.#newlyAsked.set(asker, known + 1, dayAfter(now));
		}
		this.#put('asked', name, (before ?? 0) + addresses, now + ASKED_KEPT_MS - (now % DAY_MS));
	}

	/** The accounts that asked about a domain on a day (`2026-11-22`), those that asked most first. */
	askersOf(digest: string, day: string): readonly AskingAccount[] {
		const prefix = `${day} ${digest} `;
		const query =
			'SELECT substr(name, length(?1) + 1) AS asker, CAST(value AS INTEGER) AS addresses FROM kept ' +
			"WHERE kind = 'asked' AND until > ?3 AND name > ?1 AND name < ?1 || char(127) ORDER BY addresses DESC LIMIT ?2";
		const found = this.#try(() => this.#prepared(query).all(prefix, ASKERS_MAX, this.#clock.now())) ?? [];
		return found as unknown as AskingAccount[];
	}

	close(): void {
		clearInterval(this.#timer);
		this.#commit();
		this.#db.close();
	}

	/** Writes down what was kept since the last time, or forgets it where the disk takes nothing. */
	#commit(): void {
		// Yesterday's says who else asks there.
		const until = dayAfter(this.#clock.now()) + DAY_MS;
		for (const [name, gate] of this.#used) this.#put('spent', name, gate.spent, until);
		this.#used.clear();
		this.#try(() => {
			if (!this.#db.isTransaction) return;
			this.#db.exec('COMMIT');
			this.#lastFailed = false;
		});
		this.#try(() => this.#db.isTransaction && this.#db.exec('ROLLBACK'));
	}

	/** The value that counts at `now`, by an entry that counts at most until then. */
	#get(kind: Kind, name: string, now: number, untilMax = FOR_EVER): unknown {
		const query =
			'SELECT value FROM kept WHERE kind = ? AND name = ? AND until > ? AND until <= ? AND json_valid(value)';
		const kept = this.#try(() => this.#prepared(query).get(kind, name, now, untilMax));
		return kept === undefined ? null : (JSON.parse(String(kept['value'])) as unknown);
	}

	#put(kind: Kind, name: string, value: unknown, until: number): void {
		this.#writes += 1;
		this.#try(() => {
			if (!this.#db.isTransaction) this.#db.exec('BEGIN');
			const query = 'REPLACE INTO kept (kind, name, value, until) VALUES (?, ?, ?, ?)';
			this.#prepared(query).run(kind, name, JSON.stringify(value), until);
			if (this.#writes % WRITES_PER_CLEANING === 0) this.#clean();
		});
	}

	/** Names without end fill no disk. */
	#clean(): void {
		for (const [kind, most] of Object.entries(this.#limits)) {
			this.#prepared('DELETE FROM kept WHERE kind = ? AND until <= ?').run(kind, this.#clock.now());
			// Counting a million rows takes a while.
			if (this.#writes % Math.max(WRITES_PER_CLEANING, most / 20) !== 0) continue;
			const surplus = 'MAX(0, (SELECT COUNT(*) FROM kept WHERE kind = ?1) - ?2)';
			const oldest = `SELECT name FROM kept WHERE kind = ?1 ORDER BY until LIMIT ${surplus}`;
			this.#prepared(`DELETE FROM kept WHERE kind = ?1 AND name IN (${oldest})`).run(kind, most);
		}
	}

	#open(file: string): DatabaseSync {
		try {
			return opened(file);
		} catch (error) {
			const code = ((error as { readonly errcode?: number }).errcode ?? 0) & 0xff;
			if (!DISK_ERRORS.has(code) && !DAMAGES.has(code)) throw error;
			const now = this.#clock.now();
			const as = DAMAGES.has(code) ? this.#try(() => setAside(file, now)) : undefined;
			if (as === undefined) {
				log('prober_state_failed', describeError(error));
				this.#isForgetful = true;
				return opened(':memory:');
			}
			log('prober_state_set_aside', { as, ...describeError(error) });
			this.setAsideAt = now;
			return this.#open(file);
		}
	}

	#prepared(query: string): StatementSync {
		const statement = this.#statements.get(query) ?? this.#db.prepare(query);
		this.#statements.set(query, statement);
		return statement;
	}

	/** Says the first failure, and returns undefined after each. */
	#try<T>(work: () => T): T | undefined {
		try {
			return work();
		} catch (error) {
			if (!this.#lastFailed) log('prober_state_failed', describeError(error));
			this.#lastFailed = true;
			return undefined;
		}
	}
}

function opened(file: string): DatabaseSync {
	const db = new DatabaseSync(file);
	try {
		db.exec(SCHEMA);
		const [found] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {});
		// It throws for none of its findings.
		if (found !== 'ok') throw Object.assign(new Error('the file is damaged'), { errcode: 11 });
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}

/** Renames the file with its log, which belongs to it alone. Returns its new name. */
function setAside(file: string, now: number): string {
	const aside = `${file}.damaged-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`;
	for (const part of ['', '-wal', '-shm'])
		if (existsSync(`${file}${part}`)) renameSync(`${file}${part}`, `${aside}${part}`);
	return aside;
}
