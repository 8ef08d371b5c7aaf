import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { dayOf as utcDayOf } from '../core/credits/usage.ts';
import { dayOf } from '../core/politeness/day-book.ts';
import type { Spent } from '../core/politeness/day-book.ts';
import type { Growth } from '../core/politeness/growth.ts';
import type { Standing } from '../core/politeness/pause.ts';
import type { RecipientReply } from '../core/smtp/session.ts';
import type { BudgetStore } from './budgets.ts';
import type { Clock, InventedMemory } from './ports.ts';
import type { StandingStore } from './standing.ts';
import { openStateFile } from './state-file.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import { describeError, log } from '../lib/log.ts';
import type { AskingAccount } from '../wire/prober-state.ts';

// Entries that are out of date are removed now and then.
const WRITES_PER_CLEANING = 1_000;
// A transaction for each write would cost more than the question that it is about. A crash loses so much at most.
const COMMIT_AFTER_MS = 100;

/** How many rows of a kind are kept; those about to expire, and the least that was spent, give way. */
const LIMITS = { standings: 50_000, growths: 100_000, invented: 100_000, spent: 100_000, asked: 1_000_000 };

const GROWTH_KEPT_DAYS = 90;

// So long an abuse report about a domain and a day leads to an account.
const ASKED_KEPT_DAYS = 7;
const ASKERS_MAX = 100;
// Domains that one account adds a day: it must not push out the days before.
const ASKED_OF_ONE_MAX = 20_000;

const DAY_MS = 86_400_000;

/**
 * The memory of a prober across a restart: how operators stand to its source addresses, what domains said to invented
 * recipients, and what was used of the day's budgets. No address of anybody. A disk that fails costs memory, never an
 * answer: what can't be written is forgotten, and said in the log.
 */
export class ProberState implements InventedMemory, StandingStore, BudgetStore {
	readonly #db: DatabaseSync;
	readonly #clock: Clock;
	/** Looked at before every connection; a disk that fails must not make us forget that we were refused. */
	readonly #standings: ExpiringMap<Standing>;
	readonly #limits: typeof LIMITS;
	readonly #statements = new Map<string, StatementSync>();
	#writes = 0;
	/** Domains that each account asked about first today. */
	#newlyAsked = { day: '', domains: new Map<string, number>() };
	/** The last write failed. */
	#lastFailed = false;
	/** It lives in memory. */
	readonly #isForgetful: boolean;
	/** When a damaged file was set aside, epoch ms; null: this one is whole. */
	readonly setAsideAt: number | null;

	/** Opens the file as `openStateFile` does. */
	constructor(file: string, clock: Clock, limits = LIMITS) {
		const { db, isForgetful, setAsideAt } = openStateFile(file, clock.now());
		this.#db = db;
		this.#isForgetful = isForgetful;
		this.setAsideAt = setAsideAt;
		this.#clock = clock;
		this.#limits = limits;
		this.#standings = new ExpiringMap(limits.standings);
		for (const { name, standing, until } of this.#stored()) this.#standings.set(name, standing, until);
	}

	/** Nothing is kept at the moment: for `GET /state`. */
	get isFailing(): boolean {
		this.commit();
		return this.#isForgetful || this.#lastFailed;
	}

	find(domain: string, now: number): readonly RecipientReply[] | null {
		const row = this.#read(
			'SELECT replies AS text FROM invented WHERE domain = ? AND until > ?',
			domain,
			now,
		);
		return row === null ? null : (row as readonly RecipientReply[]);
	}

	keep(domain: string, replies: readonly RecipientReply[], now: number, until: number): void {
		this.#write('REPLACE INTO invented (domain, replies, until) VALUES (?, ?, ?)', now, [
			domain,
			JSON.stringify(replies),
			until,
		]);
	}

	/** The standing kept under the name; null: none, or it is out of date. */
	standing(name: string): Standing | null {
		return this.#standings.get(name, this.#clock.now()) ?? null;
	}

	keepStanding(name: string, standing: Standing, until: number): void {
		const forgotten = this.#standings.set(name, standing, until);
		if (forgotten !== null) this.#deleteStanding(forgotten);
		this.#write('REPLACE INTO standings (name, standing, until) VALUES (?, ?, ?)', this.#clock.now(), [
			name,
			JSON.stringify(standing),
			until,
		]);
		// No crash makes us forget that we were refused.
		this.commit();
	}

	forgetStanding(name: string): void {
		this.#standings.delete(name);
		this.#deleteStanding(name);
	}

	#deleteStanding(name: string): void {
		this.#write('DELETE FROM standings WHERE name = ?', this.#clock.now(), [name]);
	}

	/** All standings that are in force. */
	standings(): readonly { readonly name: string; readonly standing: Standing }[] {
		const now = this.#clock.now();
		return [...this.#standings.entries(now)].map(([name, standing]) => ({ name, standing }));
	}

	growth(machine: string): Growth | null {
		const fields = "json_object('factor', factor, 'goodDays', good_days, 'day', day) AS text";
		const since = dayOf(this.#clock.now()) - GROWTH_KEPT_DAYS;
		return this.#read(
			`SELECT ${fields} FROM growths WHERE name = ? AND day >= ?`,
			machine,
			since,
		) as Growth | null;
	}

	keepGrowth(machine: string, { factor, goodDays, day }: Growth): void {
		const query = 'REPLACE INTO growths (name, factor, good_days, day) VALUES (?, ?, ?, ?)';
		this.#write(query, this.#clock.now(), [machine, factor, goodDays, day]);
	}

	spent(name: string, day: number): Spent | null {
		const query = "SELECT json_object('day', day, 'shares', json(shares)) AS text FROM spent";
		const kept = this.#read(`${query} WHERE name = ? AND day >= ?`, name, day);
		return kept === null ? null : (kept as Spent);
	}

	keepSpent(name: string, { day, shares }: Spent): void {
		const recipients = Object.values(shares).reduce((sum, used) => sum + used, 0);
		const values = [name, day, recipients, JSON.stringify(shares)];
		const query = 'REPLACE INTO spent (name, day, recipients, shares) VALUES (?, ?, ?, ?)';
		this.#write(query, this.#clock.now(), values);
	}

	usedSince(egress: string): number {
		const now = this.#clock.now();
		this.#write('INSERT OR IGNORE INTO egresses (name, since) VALUES (?, ?)', now, [egress, now]);
		const kept = this.#read('SELECT since AS text FROM egresses WHERE name = ? AND since <= ?', egress, now);
		// Where nothing can be kept, it is new each time: better too slow than too fast.
		return typeof kept === 'number' ? kept : now;
	}

	/**
	 * Counts addresses of a domain that an account asked about today (UTC).
	 *
	 * @param digest the keyed hash of the domain, in hex
	 */
	noteAsked(digest: string, asker: string, addresses: number): void {
		const now = this.#clock.now();
		const day = utcDayOf(now);
		const name = `${day} ${digest} ${asker}`;
		const values = [addresses, name];
		if (this.#write('UPDATE asked SET addresses = addresses + ? WHERE name = ?', now, values) > 0) return;
		if (this.#newlyAsked.day !== day) this.#newlyAsked = { day, domains: new Map() };
		const { domains } = this.#newlyAsked;
		const known = domains.get(asker) ?? 0;
		if (known >= ASKED_OF_ONE_MAX) return;
		domains.set(asker, known + 1);
		this.#write('INSERT OR IGNORE INTO asked (addresses, name) VALUES (?, ?)', now, values);
	}

	/** The accounts that asked about a domain on a day (`2026-11-22`), those that asked most first. */
	askersOf(digest: string, day: string): readonly AskingAccount[] {
		const named = `json_object('asker', substr(name, length(?1) + 1), 'addresses', addresses)`;
		const most =
			'SELECT * FROM asked WHERE name > ?1 AND name < ?1 || char(127) ORDER BY addresses DESC LIMIT ?2';
		const query = `SELECT json_group_array(${named}) AS text FROM (${most})`;
		return (this.#read(query, `${day} ${digest} `, ASKERS_MAX) ?? []) as readonly AskingAccount[];
	}

	close(): void {
		this.commit();
		this.#db.close();
	}

	#stored(): readonly { readonly name: string; readonly standing: Standing; readonly until: number }[] {
		const rows = this.#db
			.prepare(
				'SELECT name, standing, until FROM standings WHERE until > ? AND json_valid(standing) ORDER BY until',
			)
			.all(this.#clock.now());
		return rows.map(({ name, standing, until }) => ({
			name: String(name),
			standing: JSON.parse(String(standing)) as Standing,
			until: Number(until),
		}));
	}

	#read(query: string, key: string, second: number): unknown {
		try {
			const row = this.#prepared(query).get(key, second);
			return row === undefined ? null : JSON.parse(String(row['text']));
		} catch (error) {
			this.#failed(error);
			return null;
		}
	}

	/** Returns how many rows were written; none after a failure. */
	#write(query: string, now: number, values: readonly (string | number)[]): number {
		try {
			this.#begin();
			if (this.#writes % WRITES_PER_CLEANING === 0) {
				this.#db.prepare('DELETE FROM invented WHERE until <= ?').run(now);
				this.#db.prepare('DELETE FROM standings WHERE until <= ?').run(now);
				this.#db.prepare('DELETE FROM spent WHERE day < ?').run(dayOf(now) - 1);
				this.#db.prepare('DELETE FROM growths WHERE day < ?').run(dayOf(now) - GROWTH_KEPT_DAYS);
				this.#shorten('invented', 'domain', 'until');
				this.#shorten('growths', 'name', 'good_days, day');
				this.#shorten('spent', 'name', 'recipients');
				const oldest = utcDayOf(now - ASKED_KEPT_DAYS * DAY_MS);
				this.#db.prepare('DELETE FROM asked WHERE name < ?').run(oldest);
				// Counting a million rows takes a while.
				const every = Math.max(WRITES_PER_CLEANING, this.#limits.asked / 20);
				if (this.#writes % every === 0) this.#shorten('asked', 'name', 'name');
			}
			const { changes } = this.#prepared(query).run(...values);
			this.#writes += 1;
			return Number(changes);
		} catch (error) {
			this.#failed(error);
			return 0;
		}
	}

	#prepared(query: string): StatementSync {
		const statement = this.#statements.get(query) ?? this.#db.prepare(query);
		this.#statements.set(query, statement);
		return statement;
	}

	#begin(): void {
		if (this.#db.isTransaction) return;
		this.#db.exec('BEGIN');
		setTimeout(() => this.commit(), COMMIT_AFTER_MS).unref();
	}

	/** Writes down at once what would be written in a moment. */
	commit(): void {
		try {
			if (!this.#db.isOpen || !this.#db.isTransaction) return;
			this.#db.exec('COMMIT');
			this.#lastFailed = false;
		} catch (error) {
			this.#failed(error);
			if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
		}
	}

	/** Names without end fill no disk. */
	#shorten(table: 'invented' | 'growths' | 'spent' | 'asked', key: string, order: string): void {
		const surplus = `MAX(0, (SELECT COUNT(*) FROM ${table}) - ?)`;
		this.#db
			.prepare(
				`DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} ORDER BY ${order} LIMIT ${surplus})`,
			)
			.run(this.#limits[table]);
	}

	#failed(error: unknown): void {
		if (!this.#lastFailed) log('prober_state_failed', describeError(error));
		this.#lastFailed = true;
	}
}
