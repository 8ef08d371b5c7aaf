import { TEXTS } from 'docs:pages';
import { StatusPage, WrittenPage } from '../../../src/dashboard/pages/public.tsx';
import type { View } from '../../../src/dashboard/view.ts';
import { view } from './samples.ts';

// The pages about the service and who runs it.

const WELL = { keys: [], database: [], accounts: [], files: [], queues: [], probers: [] };
const stranger: View = { ...view, viewer: null };
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
	const page = TEXTS.find((one) => one.path === path);
	if (page === undefined) throw new Error(`There is no ${path}`);
	return <WrittenPage view={all === null ? nameless : stranger} page={page} facts={all} />;
}

export const COMPANY_PAGES = {
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
	status: <StatusPage view={stranger} health={WELL} />,
	'status-failing': (
		<StatusPage view={stranger} health={{ ...WELL, probers: ['The prober a does not answer'] }} />
	),
};
