import type { FieldErrors } from '../../forms.ts';
import { DashboardPage } from '../../layout.tsx';
import { Button, ButtonLink, CancelLink } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { View } from '../../view.ts';
import { CodeForm } from './sign-in.tsx';
import type { CodeFormProps } from './sign-in.tsx';

const ADDRESS = '/dashboard/settings/address';
const UP = { name: 'Settings', href: '/dashboard/settings' };

/** Asks for a new address. */
export function ChangeAddressPage(props: {
	readonly view: View;
	/** The present address. */
	readonly email: string;
	readonly typed: string;
	readonly errors: FieldErrors;
	/** The address that was probably meant. */
	readonly suggestion: string | null;
	readonly problem: string | null;
}) {
	const { view, email, typed, errors, suggestion, problem } = props;
	return (
		<DashboardPage
			view={view}
			place="Settings"
			title="Change your address"
			up={UP}
			lead="We email a code to the new address. Nothing changes until you enter it."
		>
			{problem !== null && <Notice kind="failed" announce title={problem} />}
			<Form view={view} action={ADDRESS} layout="narrow">
				<p>
					Current address: <strong>{email}</strong>
				</p>
				<Field
					name="email"
					label="New address"
					type="email"
					value={typed}
					error={suggestion === null ? errors['email'] : `Did you mean ${suggestion}?`}
					hint={suggestion === null ? undefined : 'Correct it, or send it again as it is.'}
					autocomplete="email"
					autofocus
					required
				/>
				{suggestion !== null && <input type="hidden" name="keep" value={typed} />}
				<div class="actions">
					<Button>Email a code</Button>
					<CancelLink href={UP.href} />
				</div>
			</Form>
		</DashboardPage>
	);
}

/** Asks for the code from the new mailbox. It is shown whether or not another person has the address. */
export function NewAddressCodePage({
	email,
	problem,
	...form
}: Omit<CodeFormProps, 'action' | 'button' | 'next'> & {
	/** The new address. */
	readonly email: string;
	readonly problem: string | null;
}) {
	return (
		<DashboardPage
			view={form.view}
			place="Settings"
			title="Check your new mailbox"
			up={UP}
			lead={`We sent a code to ${email}, and told your current address. The change signs out all other browsers.`}
		>
			{problem !== null && <Notice kind="failed" announce title={problem} />}
			<CodeForm {...form} action={`${ADDRESS}/code`} button="Change address" />
		</DashboardPage>
	);
}

/** For a code that no longer works, or that was sent for another account. */
export function AddressCodeEndedPage({ view }: { readonly view: View }) {
	return (
		<DashboardPage
			view={view}
			place="Settings"
			title="This code does not work here"
			up={UP}
			lead="It was used, has expired, or was asked for in another browser. Your address has not changed."
		>
			<p>
				<ButtonLink kind="quiet" href={ADDRESS}>
					Ask for another code
				</ButtonLink>
			</p>
		</DashboardPage>
	);
}
