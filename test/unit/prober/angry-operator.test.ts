import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/core/verification/interpret-session.ts';
import { ask as askHosts } from '../../../src/prober/ask.ts';
import { PUBLIC_ONLY } from '../../support/unit/fake-resolver.ts';
import { makeQuestion } from '../../support/unit/question.ts';
import { makeTurns } from '../../support/unit/turns-world.ts';

// An operator that has enough of us: what it still sees, and what whoever asked is told.

const HOUR = 3_600_000;
const RATE = '421 4.7.28 Our system has detected an unusual rate of unsolicited mail';

function angry() {
	const answers = (line: string) => (line.startsWith('RCPT') ? RATE : undefined);
	const world = makeTurns({ answers }, {});
	const { clock, turns } = world;
	const ports = { clock, conversations: turns, addressPolicy: PUBLIC_ONLY };
	const ask = async (domain: string, names: readonly string[]) => {
		const question = makeQuestion({
			domain,
			hosts: [{ name: 'gmail-smtp-in.l.google.com', addresses: ['8.8.8.8'], failed: false }],
			targets: names.map((name) => `${name}@${domain}`),
			invented: null,
			class: 'list',
			deadline: clock.now() + 30_000,
		});
		return (await askHosts(ports, question)).answers;
	};
	return { ...world, ask };
}

const isHeard = (answer: Finding | null): boolean => answer?.kind === 'heard';

describe('a thousand addresses at an operator that refuses everything', () => {
	test.each<[string, (n: number) => string]>([
		['of its own domain', () => 'gmail.com'],
		['of as many customers', (n) => `tenant${n}.test`],
	])(
		'%s cost at most five connections in four minutes and twenty in a day, and wait',
		async (_title, domainOf) => {
			const { clock, dialled, ask } = angry();
			const until = clock.now() + 24 * HOUR;
			const early = clock.sleep(4 * 60_000).then(() => dialled.length);
			const told = { heard: 0, postponed: 0, other: 0 };
			const part = async (domain: string, names: readonly string[]): Promise<void> => {
				while (clock.now() < until) {
					const said = await ask(domain, names);
					for (const answer of said)
						if (isHeard(answer)) told.heard += 1;
						else if (answer?.kind === 'postponed') told.postponed += 1;
						else told.other += 1;
					const later = said.flatMap((answer) => (answer?.kind === 'postponed' ? [answer.until] : []));
					await clock.sleep(Math.max(60_000, Math.min(...later, until) - clock.now()));
				}
			};
			const parts = Array.from({ length: 20 }, (_, at) =>
				part(
					domainOf(at),
					Array.from({ length: 50 }, (__, n) => `ada${at}.${n}`),
				),
			);
			await clock.run(Promise.all(parts));
			expect(await early).toBeLessThanOrEqual(5);
			expect(dialled.length).toBeLessThanOrEqual(20);
			expect(told.heard).toBeLessThanOrEqual(20 * 50);
			expect(told.postponed).toBeGreaterThan(told.heard);
			expect(told.other).toBe(0);
		},
	);
});
