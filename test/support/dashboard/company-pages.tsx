import { parsePacks } from '../../../src/core/payments/packs.ts';
import { fillIn } from '../../../src/dashboard/pages/docs.tsx';
import { landingPlace } from '../../../src/dashboard/pages/landing.tsx';
import { StatusPage, WrittenPage } from '../../../src/dashboard/pages/public.tsx';
import type { View } from '../../../src/dashboard/view.ts';
import { textPages } from '../../../tools/docs/pages.ts';
import { results, stranger, wrong } from './samples.ts';
import { viewed } from './viewed.tsx';

// The front page, and the pages about the service and who runs it.

const TEXTS = textPages();
const WELL = { keys: [], database: [], accounts: [], files: [], queues: [], probers: [] };
const nameless: View = {
	...stranger,
	site: { base: null, hasOperator: false, terms: null, hasContact: false },
};
const facts = {
	kept: '48 hours',
	operator: 'Lovelace &amp; Hopper Analytical Engines Ltd',
	address: '<strong>Lovelace &amp; Hopper Analytical Engines Ltd</strong><br>12 St James’s Square<br>London',
	mail: '<a href="mailto:hello@mailsonar.example">hello@mailsonar.example</a>',
	sales: '<a href="https://mailsonar.example/sales">mailsonar.example/sales</a>',
	contact: '',
	peace: '<a href="mailto:peace@mailsonar.example">peace@mailsonar.example</a>',
	resolvers: 'cloudflare-dns.com and dns.google',
	'kept-in': ', kept in the European Union',
	payments: '',
};

function textPage(path: string, all: Readonly<Record<string, string | undefined>> | null = facts) {
	const found = TEXTS.find((one) => one.path === path);
	if (found === undefined) throw new Error(`There is no ${path}`);
	const page = { ...found, summary: fillIn(found.summary, { operator: 'Lovelace & Hopper' }) };
	const html = all && fillIn(page.html, all);
	return viewed(<WrittenPage page={page} html={html} />, all === null ? nameless : stranger);
}

const landing: Parameters<typeof landingPlace.draw>[1] = {
	trialCredits: 100,
	resultsTtlMs: 172_800_000,
	samples: [],
	packs: [],
	contactUrl: null,
	email: '',
	answer: null,
};

export const COMPANY_PAGES = {
	landing: landingPlace.draw(stranger, landing),
	'landing-prices': landingPlace.draw(stranger, {
		...landing,
		packs: parsePacks('5000=39EUR 25000=149EUR 100000=449EUR'),
	}),
	'landing-tried': landingPlace.draw(stranger, {
		...landing,
		samples: ['ada@inbox.test', 'nobody@inbox.test'],
		email: 'ada@lovelace.example',
		answer: { result: results[0]!, answeredBy: 'aspmx.l.google.com', breakdown: null },
	}),
	'landing-wrong': landingPlace.draw(
		stranger,
		landing,
		wrong('try', { email: 'ada@' }, { email: 'There is nothing after the @.' }),
	),
	security: textPage('/security'),
	'security-nameless': textPage('/security', {
		...facts,
		...{ address: undefined, payments: undefined, contact: undefined },
	}),
	terms: textPage('/terms'),
	imprint: textPage('/imprint'),
	contact: textPage('/contact'),
	'opt-out': textPage('/opt-out'),
	'not-filled-in': textPage('/imprint', null),
	status: viewed(<StatusPage health={WELL} />, stranger),
	'status-failing': viewed(
		<StatusPage health={{ ...WELL, probers: ['The prober a does not answer'] }} />,
		stranger,
	),
};
