import type { Address } from '../../../src/core/address/parse-address.ts';
import { domainFindings } from '../../../src/core/catchall/domain.ts';
import { judgement } from '../../../src/core/catchall/breakdown.ts';
import type { Judgement } from '../../../src/core/catchall/breakdown.ts';
import { sumOf } from '../../../src/core/catchall/breakdown.ts';
import { mailboxFinding } from '../../../src/core/catchall/mailbox/mailbox.ts';
import { finding } from '../../../src/core/catchall/table.ts';
import { makeFacts, registration } from '../unit/domain-facts.ts';

/** A judgement of the usual length: everything about the domain was measured and is explained. */
export function longJudgement({ localPart, domain }: Address): Judgement {
	const facts = makeFacts({
		domain,
		website: 'own',
		registration: registration({ age: 5_000 }),
		spf: 'ok',
		dmarc: 'reject',
		parking: { kind: 'none' },
	});
	const findings = [...domainFindings(facts, localPart), mailboxFinding(localPart, domain), ...ROUTE];
	const known = { subStatus: 'catch_all_valid', coverage: 1, isCatchAll: true, rule: null } as const;
	return judgement(findings, { score: sumOf(findings), ...known });
}

const ROUTE = [
	finding('route:validating', 'The mail server (Google)', 'provider:google'),
	finding('randoms:accepted', '3'),
	finding('reply:same'),
	finding('domain_pattern:neutral', '3 of 7 other addresses of this domain are written as flast too'),
];
