import type { Address } from '../../../src/core/address/parse-address.ts';
import { makeBreakdown } from '../../../src/core/catchall/breakdown.ts';
import { domainSignals } from '../../../src/core/catchall/domain-signals.ts';
import type { Judgement } from '../../../src/core/catchall/judge.ts';
import { mailboxSignals } from '../../../src/core/catchall/mailbox/mailbox-signals.ts';
import { scoreSignals } from '../../../src/core/catchall/scorecard.ts';
import { makeFacts, registration } from '../unit/domain-facts.ts';

/** A judgement of the usual length: everything about the domain was measured and is explained. */
export function longJudgement({ localPart, domain }: Address): Judgement {
	const facts = makeFacts({
		domain,
		mtaSts: 'missing',
		website: 'own',
		registration: registration({ age: 5_000, expiresIn: 200 }),
		dns: {
			spf: 'ok',
			dmarc: 'reject',
			dkim: 'selectors',
			mtaSts: 'missing',
			tlsRpt: 'missing',
			bimi: 'missing',
			dnssec: 'signed',
			dane: 'missing',
			parking: { kind: 'none' },
			wildcardMx: false,
			wildcardAddress: false,
		},
	});
	const scored = scoreSignals([...domainSignals(facts), ...mailboxSignals(localPart, { domain }), ...ROUTE]);
	const breakdown = makeBreakdown(scored, 1, null);
	const { score, points: countedPoints } = scored;
	const decided = { verdict: 'valid', subStatus: 'catch_all_valid', isCatchAll: true, rule: null } as const;
	return { score, ...decided, countedPoints, breakdown };
}

const ROUTE = [
	{
		group: 'route',
		label: 'provider:google',
		points: 20,
		text: 'The mail server (Google) refuses unknown recipients unless the domain set up a catch-all, so what it accepts goes to somebody.',
	},
	{ group: 'mx', label: 'mx:several', points: 1, text: 'Several mail servers take the mail.' },
	{ group: 'smtp_stack', label: 'starttls:yes', points: 1, text: 'The server offers encryption.' },
	{
		group: 'smtp',
		label: 'randoms:accepted',
		points: 0,
		text: 'The server accepted 3 invented recipients of the domain too.',
	},
	{
		group: 'list_quality',
		label: 'list_quality:good',
		points: 4.2,
		text: 'Of 5000 addresses of the list that mail servers could decide, 85 % exist.',
	},
] as const;
