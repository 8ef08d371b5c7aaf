import type { FieldErrors } from '../../forms.ts';
import { NarrowPage } from '../../layout.tsx';
import { Button } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { View } from '../../view.ts';

/** Asks for the code after a right password. */
export function SignInCodePage(props: {
	readonly view: View;
	/** Where to go afterwards. */
	readonly next: string;
	readonly errors: FieldErrors;
	readonly problem: string | null;
}) {
	const { view, next, errors, problem } = props;
	return (
		<NarrowPage
			view={view}
			title="Enter your code"
			lead="Open your authenticator app and enter its six digits."
		>
			{problem !== null && <Notice kind="failed" announce title={problem} />}
			<Form view={view} action="/dashboard/sign-in/code">
				<input type="hidden" name="next" value={next} />
				<Field
					name="code"
					label="Code"
					error={errors['code']}
					hint="No phone at hand? Enter one of your recovery codes instead."
					autocomplete="one-time-code"
					maxlength={40}
					autofocus
					required
				/>
				<div class="actions">
					<Button>Sign in</Button>
				</div>
			</Form>
			<p class="quiet">
				<a href="/dashboard/sign-in">Start again</a>
			</p>
		</NarrowPage>
	);
}
