import { expect, test } from 'vitest';
import type { MailHost } from '../../../src/core/politeness/mail-host.ts';
import { codeOf, makeLines } from '../../support/unit/lines-world.ts';

const MOST = 500;

/** The name of a machine of nobody we know. */
const machine = (n: number) => {
	const name = `mx.n${n}.test`;
	const host: MailHost = { host: name, party: name, egress: 'direct', speaksFor: 'itself' };
	return { address: `20.0.${n >> 8}.${n & 255}`, host, operator: null, domain: `n${n}.test` };
};

test('machines without end are remembered up to a limit: one more is told to come back, and known ones are served', async () => {
	const { clock, ask, lines } = makeLines({}, {}, undefined, MOST);
	const all = Array.from({ length: MOST }, (_, n) => ask(`good${n}`, machine(n)));
	expect(new Set((await clock.run(Promise.all(all))).map(codeOf))).toEqual(new Set([250]));
	expect(lines.overview()).toHaveLength(MOST);
	// All were asked in the last minute, so they are needed still.
	const now = clock.now();
	expect(await clock.run(ask('good-more', machine(MOST)))).toEqual({ kind: 'busy', until: now + 5_000 });
	expect(codeOf(await clock.run(ask('good-known', machine(0))))).toBe(250);
	expect(lines.overview()).toHaveLength(MOST);
	await clock.run(clock.sleep(90_000));
	expect(codeOf(await clock.run(ask('good-later', machine(MOST))))).toBe(250);
	expect(lines.overview().length).toBeLessThan(MOST);
});
