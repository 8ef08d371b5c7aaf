import { count } from '../../format.ts';
import type { FieldErrors } from '../../forms.ts';
import { DashboardPage } from '../../layout.tsx';
import { Button, CancelLink } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/form.tsx';
import type { View } from '../../view.ts';

interface DeleteProps {
	readonly view: View;
	readonly email: string;
	/** Credits that will be lost. */
	readonly credits: number;
	readonly errors: FieldErrors;
}

/** Asks for the address before the account is deleted for good: the dialog as a page. */
export function DeleteAccountPage(props: DeleteProps) {
	return (
		<DashboardPage
			view={props.view}
			place="Settings"
			title="Delete your account"
			up={{ name: 'Settings', href: '/dashboard/settings' }}
		>
			<div class="form-narrow stack">
				<DeleteForm {...props} />
			</div>
		</DashboardPage>
	);
}

/** The data that the deletion removes, and the field for the address. */
export function DeleteForm({ view, email, credits, errors }: DeleteProps) {
	return (
		<Form view={view} action="/dashboard/settings/delete">
			<p>You can’t undo this:</p>
			<ul class="plain-list">
				<li>All API keys get a 401 on their next call, and running lists stop.</li>
				<li>We delete lists, results, sessions, your name and your address within minutes.</li>
				<li>
					{credits === 0
						? 'There are no credits left.'
						: `Your ${count(credits)} remaining ${credits === 1 ? 'credit is' : 'credits are'} lost.`}
				</li>
				<li>A ledger of credits stays, without your name or address.</li>
			</ul>
			<Field
				name="email"
				id="delete-email"
				label={`Type your address to confirm: ${email}`}
				error={errors['email']}
				autocomplete="off"
				autofocus={Object.keys(errors).length === 0}
				required
			/>
			<div class="actions">
				<Button kind="danger">Delete account</Button>
				<CancelLink href="/dashboard/settings" />
			</div>
		</Form>
	);
}
