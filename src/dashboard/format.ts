// Formats figures and times for pages. Times are epoch milliseconds, days are UTC.

import { thousands } from '../lib/text.ts';
import { DAY_MS as DAY, HOUR_MS as HOUR, MINUTE_MS as MINUTE } from '../lib/time.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `50,000`, `-12` with a true minus sign. */
export function count(value: number): string {
	const digits = thousands(Math.abs(value));
	return value < 0 ? `−${digits}` : digits;
}

/** A change: `+8`, `−3`, `0`. */
export function change(value: number): string {
	return value > 0 ? `+${count(value)}` : count(value);
}

/** `1 credit`, `2,000 credits`. */
export function plural(value: number, one: string, many = `${one}s`): string {
	return `${count(value)} ${value === 1 ? one : many}`;
}

/** `0 of 1 address`, `7 of 20,000 addresses`. */
export function ofAddresses(done: number, total: number): string {
	return `${count(done)} of ${plural(total, 'address', 'addresses')}`;
}

/** A time still to come, rounded up: `3 min`, `41 h`, `2 days`. */
export function span(ms: number): string {
	if (ms <= MINUTE) return `${Math.max(1, Math.ceil(ms / 1000))} s`;
	if (ms <= HOUR) return `${Math.ceil(ms / MINUTE)} min`;
	return ms <= 2 * DAY ? `${Math.ceil(ms / HOUR)} h` : `${Math.ceil(ms / DAY)} days`;
}

/** `just now`, `5 min ago`, `in 3 h`, `21 Nov 2026`. */
export function relative(at: number, now: number): string {
	const past = now - at;
	if (past < 0) return -past > 7 * DAY ? date(at) : `in ${span(-past)}`;
	if (past < 10_000) return 'just now';
	if (past < MINUTE) return `${Math.floor(past / 1000)} s ago`;
	if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`;
	if (past < DAY) return `${Math.floor(past / HOUR)} h ago`;
	if (past < 7 * DAY) return past < 2 * DAY ? 'yesterday' : `${Math.floor(past / DAY)} days ago`;
	return date(at);
}

/** `21 Nov 2026`. */
export function date(at: number): string {
	const day = new Date(at);
	return `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}

/** `21 Nov 2026, 10:04:09 UTC`. */
export function exact(at: number): string {
	return `${date(at)}, ${new Date(at).toISOString().slice(11, 19)} UTC`;
}

/** `21 Nov 14:03`, in UTC. */
export function minute(at: number): string {
	const time = new Date(at);
	return `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]} ${time.toISOString().slice(11, 16)}`;
}

/** `21 Nov` of a day written `2026-11-21`. */
export function shortDay(day: string): string {
	const [, month = '', dayOfMonth = ''] = day.split('-');
	return `${Number(dayOfMonth)} ${MONTHS[Number(month) - 1]}`;
}

/** `a, b and c`. */
export function list(words: readonly string[]): string {
	if (words.length < 2) return words.join('');
	return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
