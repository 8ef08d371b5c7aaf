import type { Hono } from 'hono';
import { z } from 'zod';
import { tryAddress } from '../../operations/verify/try-address.ts';
import { clientAndDevice } from '../context.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { addressField, withForm } from '../forms.ts';
import { count } from '../format.ts';
import type { FormContext, RefusedForm } from '../forms.ts';
import { exampleBase, sandboxSamples, viewOf } from '../make-view.ts';
import { contactUrlOf } from '../view.ts';
import { LandingPage } from '../pages/public/landing.tsx';
import type { LandingProps } from '../pages/public/landing.tsx';
import { showPage } from '../show-page.ts';
import { waitOf } from '../page-error.ts';

const tryForm = z.object({ email: addressField });

/** The front page, and its box to try an address. */
export function addLanding(app: Hono<DashboardEnv>): void {
	app.get('/', async (c) => showLanding(c, null));
	app.get('/try', (c) => c.redirect('/#try', 303));
	// Answers itself, without a redirect: the page after one would have to find the answer. Nothing of an anonymous person is
	// stored, no URL has an address, and to ask anew whenever a page is loaded would cost us. Sent again, it counts again.
	app.post('/try', withForm(tryForm, showTryAgain), (c) => take(c));
}

async function take(c: FormContext<typeof tryForm>): Promise<Response> {
	const { email: address } = c.req.valid('form');
	c.var.services.requireProber();
	const tried = await tryAddress(c.var.services, { address, client: clientAndDevice(c).client });
	if (tried.kind === 'throttled') {
		const why = tried.isOwn ? 'That was your tenth free check.' : 'All free checks are taken at the moment.';
		const { trialCredits } = c.var.services;
		const more = trialCredits > 0 ? `for ${count(trialCredits)} more` : 'to go on';
		const error = `${why} Sign up ${more}, or try again in ${waitOf(c, tried)}.`;
		return showLanding(c, { email: address.email, error, answer: null }, 429);
	}
	return showLanding(c, { email: address.email, error: null, answer: tried });
}

async function showTryAgain(c: PageContext, { errors, typed }: RefusedForm): Promise<Response> {
	const error = errors['email'] ?? 'Enter an email address';
	return showLanding(c, { email: typed['email'] ?? '', error, answer: null }, 422);
}

async function showLanding(
	c: PageContext,
	tried: LandingProps['tried'],
	status: 200 | 422 | 429 = 200,
): Promise<Response> {
	const { trialCredits, jobTiming, config } = c.var.services;
	const page = {
		baseUrl: exampleBase(c),
		trialCredits,
		resultsTtlMs: jobTiming.resultsTtlMs,
		samples: sandboxSamples(c),
		packs: config.CREDIT_PACKS,
		contactUrl: contactUrlOf(config),
		tried,
	};
	return showPage(c, <LandingPage view={viewOf(c)} {...page} />, status);
}
