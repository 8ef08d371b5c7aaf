import { PASSWORD_MIN } from '../../../core/identity/passwords.ts';
import type { FieldErrors } from '../../forms.ts';
import { NarrowPage } from '../../layout.tsx';
import { Button } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { View } from '../../view.ts';

interface ForgottenProps {
	readonly view: View;
	readonly email: string;
	readonly errors: FieldErrors;
	readonly problem: string | null;
}

/** Asks for the address to which the link is sent. */
export function ForgottenPasswordPage({ view, email, errors, problem }: ForgottenProps) {
	return (
		<NarrowPage
			view={view}
			title="Choose a new password"
			lead="We send you a link. Your password stays the same until you use it."
		>
			{problem !== null && <Notice kind="failed" announce title={problem} />}
			<Form view={view} action="/dashboard/forgotten-password">
				<Field
					name="email"
					label="Email"
					type="email"
					value={email}
					error={errors['email']}
					autocomplete="username"
					required
					autofocus
				/>
				<div class="actions">
					<Button>Send link</Button>
				</div>
			</Form>
			<p class="quiet">
				<a href="/dashboard/sign-in">Back to sign in</a>
			</p>
		</NarrowPage>
	);
}

interface ResetProps {
	readonly view: View;
	readonly token: string;
	readonly email: string;
	readonly errors: FieldErrors;
	readonly problem: string | null;
}

/** The page behind the link in the mail. */
export function ResetPasswordPage({ view, token, email, errors, problem }: ResetProps) {
	return (
		<NarrowPage view={view} title="Choose a new password" lead={email}>
			{problem !== null && <Notice kind="failed" announce title={problem} />}
			<Form view={view} action="/dashboard/reset-password">
				<input type="hidden" name="token" value={token} />
				<Field
					name="password"
					label="New password"
					type="password"
					error={errors['password']}
					hint={`At least ${PASSWORD_MIN} characters. We sign out all browsers.`}
					autocomplete="new-password"
					required
					autofocus
				/>
				<div class="actions">
					<Button>Change password</Button>
				</div>
			</Form>
		</NarrowPage>
	);
}
