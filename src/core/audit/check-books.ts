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

/** Finds figures of the balance that are no whole numbers from 0, or differ from the sums of the ledger. */
function balanceFlaws({ balance, said }: BooksFacts): Found[] {
	const { granted, consumed, reserved, refunded } = balance;
	const figures = { granted, consumed, reserved, refunded, available: granted - consumed - reserved };
	const odd = Object.entries(figures)
		.filter(([, credits]) => !Number.isSafeInteger(credits) || credits < 0)
		.map(([name, credits]) => `${name} credits are ${credits}, which is no whole number from 0`);
	if (said === null) return ofLedger([...odd, 'The row does not say what the ledger adds up to']);
	const pairs = [
		['granted', granted, said.granted],
		['charged', consumed, said.charged],
		['reserved', reserved, said.reserved],
	] as const;
	const differing = pairs
		.filter(([, inBalance, inLedger]) => inBalance !== inLedger)
		.map(([name, here, there]) => `The balance has ${here} credits ${name}, its ledger ${there}`);
	return ofLedger([...odd, ...differing]);
}

/** Finds sums that differ from what they are the sums of. */
function sumFlaws({ balance, said, all, grants, running }: BooksFacts): Found[] {
	const sum = all.change - running.charged;
	const left = balance.granted - balance.consumed;
	const idle = balance.reserved - running.reserved;
	return ofLedger([
		...(said === null || all.lines === said.lines
			? []
			: [`The ledger has ${all.lines} lines, and the account counts ${said.lines}`]),
		...(sum === left ? [] : [`The lines add up to ${sum} credits, and the balance is ${left}`]),
		...(grants === balance.granted
			? []
			: [`The grants add up to ${grants} credits, and ${balance.granted} were granted`]),
		...(idle === 0
			? []
			: [
					`${balance.reserved} credits are reserved: ${running.reserved} for running jobs, and ${idle} for nothing`,
				]),
	]);
}

function lateFlaws({ due, alarmAt }: BooksFacts, now: number): Found[] {
	if (due === null) return [];
	const rings = alarmAt === null ? 'no alarm is set' : `the alarm rings at ${time(alarmAt)}`;
	const isLost = alarmAt === null || (due.at <= now && alarmAt < now - ALARM_LATE_MS);
	return isLost || due.at < now - ALARM_LATE_MS || alarmAt > Math.max(due.at, now) + ALARM_LATE_MS
		? [ofAccount('work_late', `${due.what} was due at ${time(due.at)}, and ${rings}`)]
		: [];
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
			what: 'ledger_sum',
			about: said.day,
			says: `The day has ${counted.lines} lines, which add up to ${counted.change} credits; the account says ${said.lines} and ${said.change}`,
		})),
		...orphans.map(({ id, at, kind }): Found => ({
			what: 'ledger_sum',
			about: id,
			says: `The line of ${time(at)} (${kind}) is open, and nothing works for it`,
		})),
	];
}

function ofLedger(sentences: readonly string[]): Found[] {
	return sentences.map((says) => ofAccount('ledger_sum', says));
}

function ofAccount(what: Found['what'], says: string): Found {
	return { what, about: null, says };
}
