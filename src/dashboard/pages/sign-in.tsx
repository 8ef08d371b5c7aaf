import * as z from 'zod';
import { parseAddress } from '../../core/address/parse-address.ts';
import type { Address } from '../../core/address/parse-address.ts';
import { CODE_MS } from '../../core/identity/tokens.ts';
import { askCode, lookAtCode, signIn } from '../../operations/people/sign-in.ts';
import type { AskRequest, AskResult, CheckedCode } from '../../operations/people/sign-in.ts';
import {
	bindingOf,
	clientAndDevice,
	describeThrottled,
	PageError,
	mailboxHere,
	publicBase,
	clearCookie,
	leaveFlash,
	readCookie,
	safeNext,
	writeCookie,
} from '../view.ts';
import type { PageApp, PageContext, Visit } from '../view.ts';
import { form, hidden, text, addressField, readForm } from '../form.tsx';
import type { Refusal } from '../form.tsx';
import { plural } from '../format.ts';
import { Place } from '../place.tsx';

const SIGN_IN = '/dashboard/sign-in';
const MINUTES = CODE_MS / 60_000;
type Mover = Parameters<typeof lookAtCode>[1]['mover'];

const WELCOME = {
	granted: 'Welcome. Your account is open',
	none: 'Welcome. Your account is open',
	had: 'Welcome back. Your address got its trial credits before, so there are none this time',
	on_request:
		'Welcome. Other accounts of your domain already got trial credits. Write to us if you want some for this one',
} as const;

/** Asks for the address, of people with an account and of those who open one. */
export const signInPlace = new Place(SIGN_IN, {
	load: ({ c, services: { trialCredits } }) => {
		const next = safeNext(c.req.query('next'));
		return c.var.signedIn === null ? { next, trialCredits } : c.redirect(next, 303);
	},
	view: ({ next, trialCredits }, { view, Page, Form }) => (
		<Page
			title="Sign in or create an account"
			lead={`We email you a code, and there is no password. If you are new, it opens your account${
				trialCredits > 0 ? ` with ${plural(trialCredits, 'free credit')}` : ''
			}, without a card.`}
		>
			<Form of="ask" values={{ next }} />
			{view.site.terms !== null && (
				<p class="quiet small">
					By creating an account you agree to the <a href={view.site.terms}>terms</a>.
				</p>
			)}
		</Page>
	),
	forms: {
		ask: form({
			at: '',
			button: 'Email me a code',
			fields: { ...addressFields('Email', 'username'), next: hidden() },
			run: async (visit, { email, next, keep }) =>
				sendCode(visit, email, { keepsAddress: keep === email.email, next: safeNext(next) }),
		}),
	},
});

/** The page for the code. It is shown whether or not there is an account. */
export const codePlace = new Place(`${SIGN_IN}/code`, {
	load: async ({ c }) => {
		const next = safeNext(c.req.query('next'));
		if (c.var.signedIn !== null) return c.redirect(next, 303);
		return { next, ...(await awaitCode(c, null, ENDED, SIGN_IN)) };
	},
	view: ({ next, code, email, hasMailbox }, { Page, Form }) => (
		<Page
			title="Check your email"
			lead={
				<>
					We sent a code to <strong class="wraps">{email}</strong>.{' '}
					<a href={`${SIGN_IN}?next=${encodeURIComponent(next)}`}>Change</a>
				</>
			}
		>
			<Form of="code" values={{ code, next }} />
			{hasMailbox && <MailboxHint />}
			<p class="quiet">Nothing after a minute? Check your spam folder.</p>
			<Form of="again" values={{ next }} />
		</Page>
	),
	forms: {
		code: form({
			at: '',
			button: 'Sign in',
			fields: { code: codeText(), next: hidden() },
			run: async ({ c, services }, { code, next }) => {
				const result = await signIn(services, {
					challenge: readCookie(c, 'code'),
					typed: code,
					earlierToken: readCookie(c, 'session'),
					...clientAndDevice(c),
				});
				// The same browser sent the form twice: the first time signed it in.
				const isAgain = result.kind === 'code_ended' && c.var.signedIn !== null;
				if (result.kind !== 'signed_in' && !isAgain) return refusedCode(c, result, ENDED, SIGN_IN);
				if (result.kind === 'signed_in') {
					writeCookie(c, 'session', result.token);
					clearCookie(c, 'visitor');
					clearCookie(c, 'code');
					if (result.trial !== null) leaveFlash(c, { kind: 'done', text: WELCOME[result.trial] });
				}
				return c.redirect(safeNext(next), 303);
			},
		}),
		again: form({
			button: 'Send another code',
			kind: 'quiet',
			fields: { next: hidden() },
			run: async (visit, { next: wanted }) => {
				const { c, services } = visit;
				const next = safeNext(wanted);
				const awaited = await lookAtCode(services, { challenge: readCookie(c, 'code'), mover: null });
				const parsed = awaited === null ? null : parseAddress(awaited.email);
				if (awaited === null || parsed?.ok !== true) return c.redirect(pathTo(SIGN_IN, next), 303);
				if (awaited.againInMs === 0) return sendCode(visit, parsed.address, { keepsAddress: true, next });
				const early = { kind: 'throttled', retryAfterMs: awaited.againInMs } as const;
				return { errors: { '': describeThrottled(c, early) }, status: 429 };
			},
		}),
	},
});

/** Leads old links to the sign-in, and signs out. */
export function addSignOut(app: PageApp): void {
	app.get('/dashboard/sign-up', (c) => c.redirect(SIGN_IN, 303));
	app.post('/dashboard/sign-out', async (c) => {
		// Without a sign-in there is nothing to protect, and signing out twice is no error.
		const { services, signedIn } = c.var;
		if (signedIn !== null) {
			await readForm(c);
			await services.sessions.remove(signedIn.session.tokenHash);
		}
		clearCookie(c, 'session');
		leaveFlash(c, { kind: 'done', text: 'You are signed out' });
		return c.redirect(SIGN_IN, 303);
	});
}

/** The fields of an address that gets a code. `keep`: the one for which our suggestion was shown. */
export function addressFields(label: string, autocomplete: string) {
	const looks = { type: 'email', autocomplete, autofocus: true, required: true } as const;
	return { email: text(label, { schema: addressField, ...looks }), keep: hidden() };
}

/** What the page of a code shows. It is refused as by `codeEnded` where no code is awaited. */
export async function awaitCode(c: PageContext, mover: Mover, why: string, href: string) {
	const { services } = c.var;
	const awaited = await lookAtCode(services, { challenge: readCookie(c, 'code'), mover });
	if (awaited === null) throw codeEnded(why, href);
	// The link of the mail fills the code in; only the button does something.
	const code = c.req.query('code') ?? '';
	return { code, email: awaited.email, hasMailbox: mailboxHere(c) !== null };
}

/** The field for the six digits. */
export function codeText() {
	return text('Code', {
		schema: z.string().trim().min(1, 'Enter the six digits').max(100, 'That is too long for a code'),
		hint: `Six digits. They work for ${MINUTES} minutes, in this browser.`,
		autocomplete: 'one-time-code',
		inputmode: 'numeric',
		maxlength: 20,
		autofocus: true,
		required: true,
	});
}

/** Says where the mails of a development machine are. */
export function MailboxHint() {
	return (
		<p>
			This is a development machine: mails are kept in the <a href="/dashboard/dev/mailbox">mailbox</a>.
		</p>
	);
}

/** The refusal of a code that was typed. `why` and `href`: of one that works no more, as for `codeEnded`. */
export function refusedCode(
	c: PageContext,
	result: Exclude<CheckedCode, { kind: 'right' }>,
	why: string,
	href: string,
): Refusal {
	if (result.kind === 'code_ended') throw codeEnded(why, href);
	return result.kind === 'wrong_code'
		? { errors: { code: 'This code is wrong. Use the six digits of the newest mail' } }
		: { errors: { '': describeThrottled(c, result) }, status: 429 };
}

/** The refusal of a code, which does not say why. */
function codeEnded(why: string, href: string): PageError {
	return new PageError(410, 'This code does not work here', why, { href, word: 'Email me another code' });
}

const ENDED = `A code works once, for ${MINUTES} minutes, and only in the browser that asked for it. Type it there, or ask for another one here. If you did not ask for a code, close this page: nothing was changed.`;

async function sendCode(
	{ c, services }: Visit,
	address: Address,
	{ keepsAddress, next }: { keepsAddress: boolean; next: string },
): Promise<Response | Refusal> {
	const how = { keepsAddress, page: pathTo(`${SIGN_IN}/code`, next) };
	return mailCode(c, address, how, async (request) => askCode(services, request, null));
}

function pathTo(path: string, next: string): string {
	return next === '/dashboard' ? path : `${path}?next=${encodeURIComponent(next)}`;
}

/**
 * Has a code mailed, and leads to its `page`, or says why the address gets none. A suggestion is made once: sent again, the
 * address is taken as it is.
 */
export async function mailCode(
	c: PageContext,
	address: Address,
	{ keepsAddress, page }: { readonly keepsAddress: boolean; readonly page: string },
	ask: (request: AskRequest) => Promise<AskResult | { readonly kind: 'same' }>,
): Promise<Response | Refusal> {
	const result = await ask({
		address,
		keepsAddress,
		client: clientAndDevice(c).client,
		binding: bindingOf(c),
		formId: c.var.formId,
		page: new URL(page, publicBase(c)),
	});
	switch (result.kind) {
		case 'sent':
			writeCookie(c, 'code', result.challenge);
			return c.redirect(page, 303);
		case 'typo': {
			const error = `Did you mean ${result.suggestion}? Correct the address, or send it again as it is.`;
			return { errors: { email: error }, typed: { keep: address.email } };
		}
		case 'throttled':
			return { errors: { '': describeThrottled(c, result) }, status: 429 };
		case 'same':
		case 'disposable':
		case 'no_mail':
			return { errors: { email: NO_CODE[result.kind] } };
	}
}

/** Why an address gets no code. */
const NO_CODE = {
	same: 'This is already your address',
	disposable: 'This is a disposable address. Use one where we can reach you',
	no_mail: 'This domain takes no mail. Check the part after the @',
} as const;
