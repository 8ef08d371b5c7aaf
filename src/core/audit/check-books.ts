import { checkDeliveries } from './check-deliveries.ts';
import type { BooksFacts, StretchFacts } from './facts.ts';
import { time } from './finding.ts';
import type { Found } from './finding.ts';

/** The alarm may be this late before it counts as lost: a bad hour is no damage. */
export const ALARM_LATE_MS = 3_600_000;

/** Finds faults in an account's books. */
export function checkBooks(facts: BooksFacts, now: number): Found[] {
	return [
		...balanceFlaws(facts),
		...sumFlaws(facts),
		...lateFlaws(facts, now),
		...closedFlaws(facts),
		...checkDeliveries(facts.deliveries),
	];
}

function balanceFlaws({ balance, said }: BooksFacts): Found[] {
	const { granted, consumed, reserved, refunded } = balance;
	const figures = { granted, consumed, reserved, refunded, available: granted - consumed - reserved };
	const odd = Object.entries(figures).filter(([, credits]) => !Number.isSafeInteger(credits) || credits < 0);
	const found = odd.map(([name, credits]) =>
		ofAccount('balance_wrong', `${name} credits are ${credits}, which is no whole number from 0`),
	);
	if (said === null)
		return [...found, ofAccount('balance_wrong', 'The row does not say what the ledger adds up to')];
	const pairs = [
		['granted', granted, said.granted],
		['charged', consumed, said.charged],
		['reserved', reserved, said.reserved],
	] as const;
	for (const [name, inBalance, inLedger] of pairs)
		if (inBalance !== inLedger)
			found.push(
				ofAccount('balance_wrong', `The balance has ${inBalance} credits ${name}, its ledger ${inLedger}`),
			);
	return found;
}

function sumFlaws({ balance, said, all, grants, running, openReservations }: BooksFacts): Found[] {
	const found: Found[] = [];
	if (said !== null && all.lines !== said.lines)
		found.push(
			ofAccount('ledger_sum', `The ledger has ${all.lines} lines, and the account counts ${said.lines}`),
		);
	const sum = all.change - running.charged;
	const left = balance.granted - balance.consumed;
	if (sum !== left)
		found.push(ofAccount('ledger_sum', `The lines add up to ${sum} credits, and the balance is ${left}`));
	if (grants !== balance.granted)
		found.push(
			ofAccount('grants_sum', `The grants add up to ${grants} credits, and ${balance.granted} were granted`),
		);
	const reserved = openReservations + running.reserved;
	if (reserved !== balance.reserved)
		found.push(
			ofAccount(
				'reserved_sum',
				`${balance.reserved} credits are reserved: ${openReservations} for open calls, ${running.reserved} for running jobs, and ${balance.reserved - reserved} for nothing`,
			),
		);
	return found;
}

function lateFlaws({ late, due, alarmAt }: BooksFacts, now: number): Found[] {
	const found: Found[] = late.map(({ id, at }) => ({
		what: 'reservation_late',
		about: id,
		says: `The reservation of ${time(at)} is open, and its time is over`,
	}));
	if (due === null) return found;
	const rings = alarmAt === null ? 'no alarm is set' : `the alarm rings at ${time(alarmAt)}`;
	const isLost = alarmAt === null || (due.at <= now && alarmAt < now - ALARM_LATE_MS);
	if (isLost || due.at < now - ALARM_LATE_MS || alarmAt > Math.max(due.at, now) + ALARM_LATE_MS)
		found.push(ofAccount('alarm_late', `${due.what} was due at ${time(due.at)}, and ${rings}`));
	return found;
}

function closedFlaws({ closedAt, liveKeys, runningJobs, balance }: BooksFacts): Found[] {
	if (closedAt === null) return [];
	const left = balance.granted - balance.consumed - balance.reserved;
	const alive = [
		...(liveKeys > 0 ? [`${liveKeys} keys`] : []),
		...(runningJobs > 0 ? [`${runningJobs} running jobs`] : []),
		...(left !== 0 ? [`${left} credits`] : []),
	];
	return alive.length === 0
		? []
		: [ofAccount('closed_alive', `The account is closed and has ${alive.join(', ')}`)];
}

/** Finds faults in a stretch of the ledger. */
export function checkStretch({ wrong, orphans }: StretchFacts): Found[] {
	return [
		...wrong.map(({ said, counted }): Found => ({
			what: 'day_wrong',
			about: said.day,
			says: `The day has ${counted.lines} lines, which add up to ${counted.change} credits; the account says ${said.lines} and ${said.change}`,
		})),
		...orphans.map(({ id, at, kind }): Found => ({
			what: 'line_orphaned',
			about: id,
			says: `The line of ${time(at)} (${kind}) is open, and nothing works for it`,
		})),
	];
}

function ofAccount(what: Found['what'], says: string): Found {
	return { what, about: null, says };
}
