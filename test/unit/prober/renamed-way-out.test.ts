import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseEgressList } from '../../../src/core/egress/egress.ts';
import { gateName } from '../../../src/core/turns/names.ts';
import { UNBLEMISHED } from '../../../src/core/turns/pause.ts';
import { withSystemSource } from '../../../src/prober/dial/source-towards.ts';
import { ProberMemory } from '../../../src/prober/memory.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';

const REFUSED = { ...UNBLEMISHED, struckAt: 1, factor: 0.5 };
const PUBLIC = '93.184.216.34';

test.each<[string, string, string, { system?: string | null; kept?: boolean }]>([
	['is named by its address', 'direct', `direct://${PUBLIC}`, {}],
	['loses its name', `direct://${PUBLIC}`, 'direct', {}],
	['is written in another way', 'direct://[2001:DB8:0::25]', 'direct://[2001:db8::25]', {}],
	['has a new HELO name', `direct://${PUBLIC}?helo=a.test`, `direct://${PUBLIC}?helo=b.test`, {}],
	['moves behind TLS', 'socks5://p.test?helo=v1.test', 'socks5s://q.test:443?helo=V1.test', {}],
	// What operators see is new.
	['has a new address', 'direct://192.0.2.1', 'direct://192.0.2.2', { kept: false }],
	['is another proxy, with no name of its own', 'socks5://p.test', 'socks5://q.test', { kept: false }],
	['is behind a NAT, where nobody knows', 'direct', 'direct://10.0.0.5', { system: '10.0.0.5', kept: false }],
	['has no route at the moment', 'direct', `direct://${PUBLIC}`, { system: null, kept: false }],
])('a way out that %s: warm-up and standing', async (_, before, after, { system = PUBLIC, kept = true }) => {
	const folder = mkdtempSync(join(tmpdir(), 'mailsonar-renamed-'));
	const clock = fakeClock();
	const look = async (list: string) => {
		const [way] = await withSystemSource(parseEgressList(list), () => Promise.resolve(system));
		const { source = '' } = way ?? {};
		return { memory: new ProberMemory(join(folder, 'prober.sqlite'), clock), source };
	};
	const first = await look(before);
	const since = first.memory.usedSince(first.source);
	clock.advance(3 * DAY_MS);
	first.memory.keepStanding(gateName('google', first.source), REFUSED);
	first.memory.close();
	const second = await look(after);
	expect(second.memory.usedSince(second.source)).toBe(kept ? since : clock.now());
	expect(second.memory.standing(gateName('google', second.source))).toEqual(kept ? REFUSED : null);
	second.memory.close();
	rmSync(folder, { recursive: true });
});
