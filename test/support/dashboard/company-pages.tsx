import {
	ContactPage,
	ImprintPage,
	NotFilledInPage,
	TermsPage,
} from '../../../src/dashboard/pages/public/legal.tsx';
import { SecurityPage } from '../../../src/dashboard/pages/people/security.tsx';
import { StatusPage } from '../../../src/dashboard/pages/public/status.tsx';
import type { View } from '../../../src/dashboard/view.ts';
import { view } from './samples.ts';

// The pages about the service and who runs it.

const WELL = { keys: [], database: [], accounts: [], files: [], queues: [], probers: [] };
const stranger: View = { ...view, viewer: null };
const nameless: View = {
	...stranger,
	site: { base: null, hasOperator: false, terms: null, hasContact: false },
};
const operator = {
	name: 'Lovelace & Hopper Analytical Engines Ltd',
	address: ['12 St James’s Square', 'London', 'Registered in England, no. 00000000'],
};
const contacts = { mail: 'hello@mailsonar.example', url: 'https://mailsonar.example/sales' };
const security = {
	kept: '48 hours',
	resolvers: ['cloudflare-dns.com', 'dns.google'],
	checksPeople: true,
	takesPayments: true,
	keptIn: 'in the European Union',
	operator,
};

export const COMPANY_PAGES = {
	security: <SecurityPage view={stranger} {...security} />,
	'security-nameless': (
		<SecurityPage
			view={nameless}
			{...security}
			checksPeople={false}
			takesPayments={false}
			keptIn={null}
			operator={null}
		/>
	),
	terms: <TermsPage view={stranger} operator={operator} contacts={contacts} kept="48 hours" />,
	imprint: <ImprintPage view={stranger} operator={operator} contacts={contacts} />,
	contact: <ContactPage view={stranger} operator={operator} contacts={contacts} />,
	'not-filled-in': <NotFilledInPage view={nameless} title="Imprint" />,
	status: <StatusPage view={stranger} health={WELL} />,
	'status-failing': (
		<StatusPage view={stranger} health={{ ...WELL, probers: ['The prober a does not answer'] }} />
	),
};
