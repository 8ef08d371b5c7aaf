import { describe, expect, test } from 'vitest';
import { judgeScore, scoreSignals } from '../../../src/core/catchall/scorecard.ts';
import { measure } from '../../../src/core/catchall/signals.ts';
import type { CatchAllEvidence, DomainPolicies } from '../../../src/core/catchall/signals.ts';
import { findMailOperator } from '../../../src/core/mail-operators/find-operator.ts';

function makeEvidence(changes: Partial<CatchAllEvidence> = {}): CatchAllEvidence {
	return {
		localPart: 'jane.doe',
		roleAccount: false,
		noReply: false,
		likelyTypo: false,
		operator: null,
		mailHosts: 2,
		implicitMx: false,
		startTls: true,
		policies: { spf: 'ok', dmarc: 'enforced' },
		...changes,
	};
}

/** Every signal that moves something: `spf +1`. */
function weights(changes: Partial<CatchAllEvidence>): Record<string, number> {
	const { signals } = measure(makeEvidence(changes));
	const moving = signals.filter(({ points }) => points !== 0);
	expect(new Set(moving.map(({ name }) => name)).size).toBe(moving.length);
	return Object.fromEntries(moving.map(({ name, points }) => [name, points]));
}

const HEALTHY = { mx_redundancy: 1, starttls: 1, spf: 1, dmarc: 2 };

test('a healthy domain that nothing else is known of', () => {
	expect(weights({})).toEqual(HEALTHY);
});

describe('who accepted', () => {
	test.each([
		['aspmx.l.google.com', 20],
		['smtp.secureserver.net', 14],
		['acme-com.mail.protection.outlook.com', 4],
		['filter10.antispamcloud.com', 4],
		['mxa-0050be01.gslb.pphosted.com', 0],
		['mta5.am0.yahoodns.net', 0],
		['inbound-smtp.eu-west-1.amazonaws.com', 0],
		['mail.acme.com', 0],
	])('%s: %i points', (host, points) => {
		expect(weights({ operator: findMailOperator([host]) })['mail_route'] ?? 0).toBe(points);
	});
});

describe('the domain', () => {
	test.each<[string, Partial<CatchAllEvidence>, Record<string, number>]>([
		['has one mail host', { mailHosts: 1 }, { starttls: 1, spf: 1, dmarc: 2 }],
		['has no MX', { mailHosts: 1, implicitMx: true }, { mx_implicit: -10, starttls: 1, spf: 1, dmarc: 2 }],
		['has no STARTTLS', { startTls: false }, { ...HEALTHY, starttls: -4 }],
		['is one slip from a large provider', { likelyTypo: true }, { ...HEALTHY, typo_domain: -45 }],
	])('%s', (_, changes, expected) => {
		expect(weights(changes)).toEqual(expected);
	});

	test.each<[DomainPolicies['spf'], number | undefined]>([
		['ok', 1],
		['several', undefined],
		['missing', -2],
		['sends_no_mail', -10],
		[null, undefined],
	])('SPF %s: %s', (spf, points) => {
		expect(weights({ policies: { spf, dmarc: 'enforced' } })['spf']).toBe(points);
	});

	test.each<[DomainPolicies['dmarc'], number | undefined]>([
		['enforced', 2],
		['monitored', 1],
		['missing', -2],
		[null, undefined],
	])('DMARC %s: %s', (dmarc, points) => {
		expect(weights({ policies: { spf: 'ok', dmarc } })['dmarc']).toBe(points);
	});
});

describe('the local part', () => {
	test.each<[string, Partial<CatchAllEvidence>, Record<string, number>]>([
		['jane.doe', {}, {}],
		['Info', { roleAccount: true }, { role: 5 }],
		['webmaster', { roleAccount: true }, { role: 2 }],
		['noreply', { roleAccount: true, noReply: true }, { noreply: -8 }],
		['test', {}, { placeholder: -35 }],
		['Test123', {}, { placeholder: -35 }],
		['testament', {}, {}],
		['asdfgh', {}, { placeholder: -35 }],
		['deadbeefdeadbeef', {}, { hash_like: -35 }],
		['deadbeefdeadbee', {}, {}],
		['123e4567-e89b-12d3-a456-426614174000', {}, { hash_like: -35, digits: -10, length: -8 }],
		['123', {}, { digits: -16 }],
		['jane123', {}, {}],
		['jane1234', {}, { digits: -10 }],
		['j', {}, { length: -10 }],
		['a'.repeat(30), {}, { hash_like: -35 }],
		['z'.repeat(30), {}, {}],
		['z'.repeat(31), {}, { length: -8 }],
		['jane+news', {}, { plus_tag: -4 }],
		['test+jane1234', {}, { placeholder: -35, plus_tag: -4 }],
		['+jane', {}, {}],
	])('%s', (localPart, changes, expected) => {
		expect(weights({ ...changes, localPart })).toEqual({ ...HEALTHY, ...expected });
	});
});

describe('coverage', () => {
	const GOOGLE = 'aspmx.l.google.com';
	test.each<[string, string, DomainPolicies, number]>([
		['with the domain policies it is enough to decide', GOOGLE, { spf: 'ok', dmarc: 'missing' }, 0.6],
		['without SPF it is not', GOOGLE, { spf: null, dmarc: 'enforced' }, 0.45],
		['nor without DMARC', GOOGLE, { spf: 'ok', dmarc: null }, 0.45],
		['nor where nobody knows who runs the server', 'mx.x.test', { spf: 'ok', dmarc: 'missing' }, 0.35],
	])('%s', (_, host, policies, coverage) => {
		const measured = measure(makeEvidence({ policies, operator: findMailOperator([host]) }));
		expect(measured.coverage).toBe(coverage);
		const { verdict } = judgeScore(98, { coverage, consistent: true }, { validFrom: 88, invalidBelow: 45 });
		expect(verdict).toBe(coverage < 0.6 ? 'unknown' : 'valid');
	});

	test('what could not be measured costs no points', () => {
		const [unread, missing] = [null, 'missing' as const].map((read) => {
			const policies: DomainPolicies = { spf: read, dmarc: read };
			return scoreSignals(measure(makeEvidence({ policies })).signals);
		});
		expect(unread).toBeGreaterThan(missing ?? 100);
	});
});

test('a gateway that accepts everybody proves nothing about a well-shaped name', () => {
	const operator = findMailOperator(['mxa-0050be01.gslb.pphosted.com']);
	const { signals, coverage } = measure(makeEvidence({ operator }));
	const judged = judgeScore(
		scoreSignals(signals),
		{ coverage, consistent: true },
		{ validFrom: 88, invalidBelow: 45 },
	);
	expect(judged.verdict).toBe('unknown');
});
