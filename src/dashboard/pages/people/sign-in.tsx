import { CODE_MS } from '../../../core/identity/codes.ts';
import { plural } from '../../format.ts';
import type { FieldErrors } from '../../forms.ts';
import { NarrowPage } from '../../layout.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { FlashNotice, Notice } from '../../parts/notice.tsx';
import type { Flash } from '../../session.ts';
import type { View } from '../../view.ts';

const MINUTES = CODE_MS / 60_000;

interface SignInProps {
	readonly view: View;
	readonly trialCredits: number;
	readonly email: string;
	/** Where to go afterwards. */
	readonly next: string;
	readonly errors: FieldErrors;
	/** The address that was probably meant. */
	readonly suggestion: string | null;
	readonly problem: string | null;
	readonly flash: Flash | null;
}

/** Asks for the address, of people with an account and of those who open one. */
export function SignInPage(props: SignInProps) {
	const { view, trialCredits, email, next, errors, suggestion, problem, flash } = props;
	const credits = trialCredits > 0 ? ` with ${plural(trialCredits, 'free credit')}` : '';
	return (
		<NarrowPage
			view={view}
			title="Sign in or create an account"
			lead={`We email you a code, and there is no password. If you are new, it opens your account${credits}, without a card.`}
		>
			<FlashNotice flash={flash} />
			{problem !== null && <Notice kind="failed" announce title={problem} />}
			<Form view={view} action="/dashboard/sign-in">
				<input type="hidden" name="next" value={next} />
				<Field
					name="email"
					label="Email"
					type="email"
					value={email}
					error={suggestion === null ? errors['email'] : `Did you mean ${suggestion}?`}
					hint={suggestion === null ? undefined : 'Correct the address, or send it again as it is.'}
					autocomplete="username"
					required
					autofocus
				/>
				{suggestion !== null && <input type="hidden" name="keep" value={email} />}
				{view.site.terms !== null && (
					<p class="quiet small">
						By creating an account you agree to the <a href={view.site.terms}>terms</a>.
					</p>
				)}
				<div class="actions">
					<Button>Email me a code</Button>
				</div>
			</Form>
		</NarrowPage>
	);
}

export interface CodeFormProps {
	readonly view: View;
	readonly action: string;
	/** From the link in the mail, or as typed and refused. */
	readonly code: string;
	readonly errors: FieldErrors;
	readonly button: string;
	/** Where to go afterwards; left out: the form always leads to the same page. */
	readonly next?: string;
	/** This is a development machine, whose mails are kept in its mailbox. */
	readonly mailboxHere: boolean;
}

/** The field for the six digits. The link of the mail fills it in; only the button does something. */
export function CodeForm({ view, action, code, errors, button, next, mailboxHere }: CodeFormProps) {
	return (
		<>
			<Form view={view} action={action} layout="narrow">
				{next !== undefined && <input type="hidden" name="next" value={next} />}
				<Field
					name="code"
					label="Code"
					value={code}
					error={errors['code']}
					hint={`Six digits. They work for ${MINUTES} minutes, in this browser.`}
					autocomplete="one-time-code"
					inputmode="numeric"
					maxlength={20}
					autofocus
					required
				/>
				<div class="actions">
					<Button>{button}</Button>
				</div>
			</Form>
			{mailboxHere && (
				<p>
					This is a development machine: mails are kept in the <a href="/dashboard/dev/mailbox">mailbox</a>.
				</p>
			)}
		</>
	);
}

interface CodeProps extends Omit<CodeFormProps, 'action' | 'button' | 'next'> {
	/** The address that got the mail. */
	readonly email: string;
	readonly next: string;
	readonly problem: string | null;
}

/** Asks for the code. It is shown whether or not there is an account. */
export function CodePage({ email, problem, ...form }: CodeProps) {
	const { view, next } = form;
	return (
		<NarrowPage
			view={view}
			title="Check your email"
			lead={
				<>
					We sent a code to <strong class="wraps">{email}</strong>.{' '}
					<a href={`/dashboard/sign-in?next=${encodeURIComponent(next)}`}>Change</a>
				</>
			}
		>
			{problem !== null && <Notice kind="failed" announce title={problem} />}
			<CodeForm {...form} action="/dashboard/sign-in/code" button="Sign in" />
			<Form view={view} action="/dashboard/sign-in/again" layout="inline">
				<input type="hidden" name="next" value={next} />
				<p class="quiet">Nothing after a minute? Check your spam folder.</p>
				<Button kind="quiet" size="small">
					Send another code
				</Button>
			</Form>
		</NarrowPage>
	);
}

/** For a code that no longer works, or that another browser asked for. Which of them is not said. */
export function CodeEndedPage({ view }: { readonly view: View }) {
	return (
		<NarrowPage
			view={view}
			title="This code does not work here"
			lead={`A code works once, for ${MINUTES} minutes, and only in the browser that asked for it. Type it there, or ask for another one here.`}
		>
			<p>
				<ButtonLink href="/dashboard/sign-in">Email me another code</ButtonLink>
			</p>
			<p class="quiet">If you did not ask for a code, close this page: nothing was changed.</p>
		</NarrowPage>
	);
}
