import type { DomainFacts } from '../../../src/core/catchall/domain.ts';
import { NOT_TOLD } from '../../../src/core/catchall/domain/rdap.ts';
import type { Answer, LookedUpType, RecordSource } from '../../../src/core/dns/resolver.ts';
import type { DomainPorts } from '../../../src/engine/domain.ts';
import type { WebAnswer } from '../../../src/net/public-web.ts';
import { ServiceError } from '../../../src/errors.ts';
import { ExpiringMap } from '../../../src/lib/expiring-map.ts';
import { virtualClock } from './virtual-clock.ts';

type Records = Partial<Record<LookedUpType, readonly string[]>>;

/** The DNS, the web and the registries as a literal. */
export interface World {
	/** A name that is left out, with nothing below it, does not exist. */
	readonly zones?: Readonly<Record<string, Records>>;
	/** How a query fails, by `TYPE name` or bare name. */
	readonly faults?: Readonly<Record<string, 'failed' | 'outage' | 'never'>>;
	/** By URL. Left out: 404. */
	readonly pages?: Readonly<Record<string, WebAnswer | 'never' | 'throws'>>;
	/** Left out: the registry does not tell. */
	readonly registration?: DomainFacts['registration'] | 'never' | 'throws';
	/** How long every query takes. */
	readonly delayMs?: number;
}

export type FakeWorld = ReturnType<typeof makeWorld>;

export function page(text: string, more: Partial<Extract<WebAnswer, { kind: 'page' }>> = {}): WebAnswer {
	return { kind: 'page', url: 'https://acme.com/', status: 200, headers: new Headers(), text, ...more };
}

const NEVER = new Promise<never>(() => {});

/** Makes the world, its clock, and the list of queries to it. */
export function makeWorld(world: World) {
	const clock = virtualClock();
	/** In order: `TYPE name`, URLs, and `RDAP domain`. */
	const asked: string[] = [];
	/** The websites that were remembered, and for how many seconds. */
	const kept = new Map<string, number>();
	const sites: DomainPorts['sites'] = new ExpiringMap(100);
	const remember = sites.set.bind(sites);
	sites.set = (key, value, until) => {
		kept.set(key, (until - clock.now()) / 1000);
		return remember(key, value, until);
	};
	const wait = async (): Promise<void> => {
		if (world.delayMs !== undefined) await clock.sleep(world.delayMs);
	};
	const records: RecordSource = {
		async look(name, type) {
			asked.push(`${type} ${name}`);
			const fault = world.faults?.[`${type} ${name}`] ?? world.faults?.[name] ?? world.faults?.['*'];
			if (fault === 'never') return NEVER;
			await wait();
			if (fault === 'outage')
				throw new ServiceError('upstream_unavailable', 'No DNS resolver can be reached');
			if (fault === 'failed') return { kind: 'failed', cause: 'timeout' };
			return answerOf(world.zones ?? {}, name, type);
		},
	};
	const web: DomainPorts['web'] = async (url, { limitMs }) => {
		asked.push(url);
		if (limitMs <= 0) return { kind: 'failed' };
		const found = world.pages?.[url];
		if (found === 'never') return NEVER;
		await wait();
		if (found === 'throws') throw new Error('no such thing happens');
		return found ?? page('not found', { url, status: 404 });
	};
	const registrationOf: DomainPorts['registrationOf'] = async (domain) => {
		asked.push(`RDAP ${domain}`);
		const { registration = NOT_TOLD } = world;
		if (registration === 'never') return NEVER;
		await wait();
		if (registration === 'throws') throw new Error('no such thing happens');
		return registration;
	};
	return { ports: { clock, records, web, registrationOf, sites }, asked, kept };
}

function answerOf(
	zones: Readonly<Record<string, Records>>,
	name: string,
	type: LookedUpType,
): Answer<string> {
	const wildcard = `*${name.slice(Math.max(0, name.indexOf('.')))}`;
	const exists = name in zones || Object.keys(zones).some((other) => other.endsWith(`.${name}`));
	const found = zones[name] ?? (exists ? undefined : zones[wildcard]);
	if (!exists && found === undefined) return { kind: 'no_such_name' };
	const list = found?.[type] ?? [];
	return list.length === 0 ? { kind: 'no_data' } : { kind: 'records', records: list };
}
