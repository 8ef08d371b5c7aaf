import type { CoverageItem } from './coverage.ts';
import type { Measured } from './route-signals.ts';
import type { Signal } from './signal.ts';

/** What the domain's TXT records say, or null where they could not be read. */
export interface DomainPolicies {
	readonly spf: 'ok' | 'missing' | 'several' | 'sends_no_mail' | null;
	readonly dmarc: 'enforced' | 'monitored' | 'missing' | null;
}

export interface AddressFacts {
	readonly localPart: string;
	readonly roleAccount: boolean;
	readonly noReply: boolean;
	readonly policies: DomainPolicies;
}

/** Turns what is known beside the mail route into signals. Website, parking and age are not looked at here. */
export function measure(facts: AddressFacts): Measured {
	const { policies } = facts;
	const authMeasured = policies.spf !== null && policies.dmarc !== null;
	return {
		signals: [...authSignals(policies), ...mailboxSignals(facts)],
		measured: new Set<CoverageItem>(authMeasured ? ['mailbox', 'auth'] : ['mailbox']),
	};
}

function authSignals({ spf, dmarc }: DomainPolicies): Signal[] {
	const spfPoints = { ok: 1, several: 0, missing: -2, sends_no_mail: -10 } as const;
	const dmarcPoints = { enforced: 2, monitored: 1, missing: -2 } as const;
	return [
		...(spf === null
			? []
			: [authSignal(`spf:${spf}`, spfPoints[spf], 'What the domain says about who sends its mail (SPF).')]),
		...(dmarc === null
			? []
			: [
					authSignal(
						`dmarc:${dmarc}`,
						dmarcPoints[dmarc],
						'What the domain wants done with forgeries (DMARC).',
					),
				]),
	];
}

function authSignal(label: string, points: number, text: string): Signal {
	return { group: 'auth', label, points, text };
}

// Never a person: what people type to get past a form.
const PLACEHOLDER =
	/^(?:test\d*|testing|asdf\w*|qwerty\w*|noemail|nomail|no|none|null|na|xxx+|abc|abc123|example|fake|foo|bar|foobar|user|name|email)$/;
const HASH_LIKE = /^(?:[0-9a-f]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const CORE_ROLE = /^(?:info|contact|office|hello|sales|support|admin)$/;

function mailboxSignals({ localPart, roleAccount, noReply }: AddressFacts): Signal[] {
	const [base = '', tag] = splitTag(localPart.toLowerCase());
	const digits = base.replace(/\D/g, '').length;
	const points: [string, number][] = [];
	if (noReply) points.push(['noreply', -8]);
	else if (CORE_ROLE.test(base)) points.push(['role', 5]);
	else if (roleAccount) points.push(['role', 2]);
	if (PLACEHOLDER.test(base)) points.push(['placeholder', -35]);
	if (HASH_LIKE.test(base)) points.push(['hash_like', -35]);
	if (digits > 0 && digits === base.length) points.push(['digits', -16]);
	else if (digits >= 4) points.push(['digits', -10]);
	if (base.length === 1) points.push(['length', -10]);
	else if (base.length > 30) points.push(['length', -8]);
	if (tag !== undefined) points.push(['plus_tag', -4]);
	return points.map(([label, value]) => ({
		group: 'mailbox',
		label,
		points: value,
		text: 'What the part before the @ looks like.',
	}));
}

function splitTag(localPart: string): string[] {
	const plus = localPart.indexOf('+');
	return plus > 0 ? [localPart.slice(0, plus), localPart.slice(plus + 1)] : [localPart];
}
