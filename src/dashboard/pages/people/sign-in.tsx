import type { Flash } from '../../session.ts';
import type { FieldErrors } from '../../forms.ts';
import { NarrowPage } from '../../layout.tsx';
import { Button } from '../../parts/button.tsx';
import { Challenge, Field, Form } from '../../parts/form.tsx';
import { FlashNotice, Notice } from '../../parts/notice.tsx';
import type { View } from '../../view.ts';

export interface SignInProps {
	readonly view: View;
	readonly email: string;
	/** Where to go afterwards. */
	readonly next: string;
	readonly errors: FieldErrors;
	readonly problem: { readonly title: string; readonly text: string | null } | null;
	/** Turnstile's site key, where a challenge is required. */
	readonly siteKey?: string | undefined;
	readonly flash: Flash | null;
}

/** The sign-in page. */
export function SignInPage({ view, email, next, errors, problem, siteKey, flash }: SignInProps) {
	return (
		<NarrowPage view={view} title="Sign in" islands={['work']}>
			<FlashNotice flash={flash} />
			{problem !== null && (
				<Notice kind="failed" announce title={problem.title}>
					{problem.text !== null && <p>{problem.text}</p>}
				</Notice>
			)}
			<Form view={view} action="/dashboard/sign-in" works>
				<input type="hidden" name="next" value={next} />
				<Field
					name="email"
					label="Email"
					type="email"
					value={email}
					error={errors['email']}
					autocomplete="username"
					required
					autofocus={email === ''}
				/>
				<Field
					name="password"
					label="Password"
					type="password"
					error={errors['password']}
					autocomplete="current-password"
					required
					autofocus={email !== ''}
				/>
				{siteKey !== undefined && <Challenge siteKey={siteKey} />}
				<div class="actions">
					<Button>Sign in</Button>
				</div>
			</Form>
			<p class="quiet">
				<a href="/dashboard/forgotten-password">Forgot your password?</a>
			</p>
			<p class="quiet">
				New here? <a href="/dashboard/sign-up">Create an account</a>
			</p>
		</NarrowPage>
	);
}
