import type { Hono } from 'hono';
import { retentionInWords } from '../../core/jobs/retention.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { OWN_TERMS, viewOf } from '../make-view.ts';
import { ContactPage, ImprintPage, NotFilledInPage, TermsPage } from '../pages/legal.tsx';
import type { Contacts, Operator } from '../pages/legal.tsx';
import { SecurityPage } from '../pages/security.tsx';
import { StatusPage } from '../pages/status.tsx';
import { showPage } from '../show-page.ts';

/** Who runs this installation and by which rules, and how it is. */
export function addCompany(app: Hono<DashboardEnv>): void {
	app.get('/security', async (c) => {
		const { config } = c.var.services;
		const page = {
			kept: keptIn(c),
			resolvers: config.DOH_URL.map((url) => new URL(url).hostname),
			checksPeople: config.TURNSTILE_SITE_KEY !== undefined,
			takesPayments: config.STRIPE_SECRET_KEY !== undefined,
			keptIn: config.JURISDICTION === 'eu' ? 'in the European Union' : null,
			operator: operatorOf(c),
		};
		return showPage(c, <SecurityPage view={viewOf(c)} {...page} />);
	});
	app.get('/status', async (c) => {
		const health = await c.var.services.health();
		return showPage(c, <StatusPage view={viewOf(c)} health={health} />);
	});
	app.get('/imprint', async (c) => {
		const operator = operatorOf(c);
		if (operator === null) return showNotFilledIn(c, 'Imprint');
		return showPage(c, <ImprintPage view={viewOf(c)} operator={operator} contacts={contactsOf(c)} />);
	});
	app.get(OWN_TERMS, async (c) => {
		const { TERMS_URL } = c.var.services.config;
		if (TERMS_URL !== undefined) return c.redirect(TERMS_URL, 302);
		const operator = operatorOf(c);
		if (operator === null) return showNotFilledIn(c, 'Terms');
		const page = { operator, contacts: contactsOf(c), kept: keptIn(c) };
		return showPage(c, <TermsPage view={viewOf(c)} {...page} />);
	});
	app.get('/contact', async (c) => {
		const contacts = contactsOf(c);
		if (!viewOf(c).site.hasContact) return showNotFilledIn(c, 'Contact');
		return showPage(c, <ContactPage view={viewOf(c)} operator={operatorOf(c)} contacts={contacts} />);
	});
}

async function showNotFilledIn(c: PageContext, title: string): Promise<Response> {
	return showPage(c, <NotFilledInPage view={viewOf(c)} title={title} />, 404);
}

function operatorOf(c: PageContext): Operator | null {
	const { LEGAL_NAME: name, LEGAL_ADDRESS: address } = c.var.services.config;
	return name === undefined || address === undefined ? null : { name, address };
}

function contactsOf(c: PageContext): Contacts {
	const { CONTACT_ADDRESS: mail = null, CONTACT_URL: url = null } = c.var.services.config;
	return { mail, url };
}

function keptIn(c: PageContext): string {
	return retentionInWords(c.var.services.jobTiming.resultsTtlMs);
}
