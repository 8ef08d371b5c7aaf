import { PASSWORD_MIN } from '../../../core/identity/passwords.ts';
import { plural } from '../../format.ts';
import type { FieldErrors } from '../../forms.ts';
import { NarrowPage } from '../../layout.tsx';
import { Button } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { View } from '../../view.ts';

interface SignUpProps {
	readonly view: View;
	readonly trialCredits: number;
	readonly email: string;
	readonly errors: FieldErrors;
	/** The address that was probably meant. */
	readonly suggestion: string | null;
	readonly problem: string | null;
}

/** The sign-up form: an address and a password. */
export function SignUpPage({ view, trialCredits, email, errors, suggestion, problem }: SignUpProps) {
	const credits = plural(trialCredits, 'credit');
	return (
		<NarrowPage
			view={view}
			islands={['work']}
			title="Create your account"
			lead={
				trialCredits > 0
					? `${credits} to start with, once your address is confirmed. No card needed.`
					: 'Free to open. No card needed.'
			}
		>
			{problem !== null && <Notice kind="failed" announce title={problem} />}
			<Form view={view} action="/dashboard/sign-up" works>
				<Field
					name="email"
					label="Email"
					type="email"
					value={email}
					error={suggestion === null ? errors['email'] : `Did you mean ${suggestion}?`}
					autocomplete="username"
					required
					autofocus={email === ''}
				/>
				{suggestion !== null && <input type="hidden" name="keep" value={email} />}
				<Field
					name="password"
					label="Password"
					type="password"
					error={errors['password']}
					hint={`At least ${PASSWORD_MIN} characters. A few words in a row are easy to remember and hard to guess.`}
					autocomplete="new-password"
					required
					autofocus={email !== ''}
				/>
				{suggestion !== null && (
					<p class="quiet">
						Correct the address, or submit it again as it is. We did not keep your password: enter it again.
					</p>
				)}
				{view.site.terms !== null && (
					<p class="quiet small">
						By creating an account you agree to the <a href={view.site.terms}>terms</a>.
					</p>
				)}
				<div class="actions">
					<Button>{suggestion === null ? 'Create account' : 'Create account with this address'}</Button>
				</div>
			</Form>
			<p class="quiet">
				Already have an account? <a href="/dashboard/sign-in">Sign in</a>
			</p>
		</NarrowPage>
	);
}

/** Shown whether or not there is an account. */
export function LookInMailPage(props: {
	readonly view: View;
	readonly purpose: 'confirm' | 'reset';
	/** Mails are stored on this machine instead of sent. */
	readonly mailboxHere: boolean;
}) {
	const again = props.purpose === 'confirm' ? '/dashboard/sign-up' : '/dashboard/forgotten-password';
	return (
		<NarrowPage view={props.view} title="Check your email">
			<div class="prose">
				{props.purpose === 'confirm' ? (
					<p>
						We sent you an email. Open its link in this browser to confirm your address. It works once, within
						24 hours.
					</p>
				) : (
					<p>
						If this address has an account, an email is on its way. Its link lets you choose a new password.
						It works once, within one hour.
					</p>
				)}
				<p class="quiet">
					Nothing after a few minutes? Check your spam folder, or <a href={again}>try again</a>.
				</p>
				{props.mailboxHere && (
					<p>
						This is a development machine: mails are kept in the <a href="/dashboard/dev/mailbox">mailbox</a>.
					</p>
				)}
			</div>
		</NarrowPage>
	);
}

interface ConfirmProps {
	readonly view: View;
	readonly token: string;
	readonly email: string;
	readonly needsPassword: boolean;
	readonly errors: FieldErrors;
	readonly problem: string | null;
}

/** The page behind the link in the mail. Mail scanners open links, so only the button confirms. */
export function ConfirmPage({ view, token, email, needsPassword, errors, problem }: ConfirmProps) {
	return (
		<NarrowPage view={view} title="Confirm your address" lead={email}>
			{problem !== null && <Notice kind="failed" announce title={problem} />}
			<Form view={view} action="/dashboard/confirm">
				<input type="hidden" name="token" value={token} />
				{needsPassword && (
					<>
						<p>
							You signed up in another browser. Enter the password you chose there; if you did not sign up,
							close this page.
						</p>
						<input type="text" name="username" value={email} autocomplete="username" hidden />
						<Field
							name="password"
							label="Password"
							type="password"
							error={errors['password']}
							autocomplete="current-password"
							required
							autofocus
						/>
					</>
				)}
				<div class="actions">
					<Button>Confirm and sign in</Button>
				</div>
			</Form>
		</NarrowPage>
	);
}

/** For a link that is no longer valid. The reason is not shown, since the link may be another person's. */
export function LinkEndedPage(props: { readonly view: View; readonly purpose: 'confirm' | 'reset' }) {
	const isReset = props.purpose === 'reset';
	return (
		<NarrowPage
			view={props.view}
			title="This link no longer works"
			lead="It has been used or has expired. Each link works once."
		>
			<p>
				Already used it? <a href="/dashboard/sign-in">Sign in</a>
			</p>
			<p>
				{isReset ? (
					<a href="/dashboard/forgotten-password">Request another link</a>
				) : (
					<a href="/dashboard/sign-up">Sign up again</a>
				)}
			</p>
		</NarrowPage>
	);
}
