import type { FieldErrors } from '../../forms.ts';
import { DashboardPage } from '../../layout.tsx';
import { Button, ButtonLink, CancelLink } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ProofFields } from '../../parts/proof-fields.tsx';
import type { View } from '../../view.ts';

const ADDRESS = '/dashboard/settings/address';
const UP = { name: 'Settings', href: '/dashboard/settings' };

/** Asks for a new address, and for proof that it is the owner who asks. */
export function ChangeAddressPage(props: {
	readonly view: View;
	/** The present address. */
	readonly email: string;
	readonly typed: string;
	readonly hasFactor: boolean;
	readonly errors: FieldErrors;
	/** The address that was probably meant. */
	readonly suggestion: string | null;
	readonly problem: string | null;
}) {
	const { view, email, typed, hasFactor, errors, suggestion, problem } = props;
	return (
		<DashboardPage
			view={view}
			place="Settings"
			title="Change your address"
			up={UP}
			lead="We send a link to the new address. Nothing changes until you open it."
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
					hint={
						suggestion === null
							? undefined
							: 'Correct it, or submit it again as it is. Enter your password again.'
					}
					autocomplete="email"
					autofocus={Object.keys(errors).length === 0}
					required
				/>
				{suggestion !== null && <input type="hidden" name="keep" value={typed} />}
				<ProofFields email={email} hasFactor={hasFactor} errors={errors} />
				<div class="actions">
					<Button>Send link</Button>
					<CancelLink href={UP.href} />
				</div>
			</Form>
		</DashboardPage>
	);
}

/** Shown whether or not another person has the address. */
export function AddressLinkSentPage({
	view,
	mailboxHere,
}: {
	readonly view: View;
	readonly mailboxHere: boolean;
}) {
	return (
		<DashboardPage view={view} place="Settings" title="Check your new mailbox" up={UP}>
			<div class="prose">
				<p>
					An email is on its way to the new address. Open its link in a browser where you are signed in. It
					works once, within 24 hours. We also told your current address.
				</p>
				{mailboxHere && (
					<p>
						This is a development machine: mails are kept in the <a href="/dashboard/dev/mailbox">mailbox</a>.
					</p>
				)}
			</div>
		</DashboardPage>
	);
}

/** The page behind the link in the mail. Mail scanners open links, so only the button changes anything. */
export function ConfirmAddressPage(props: {
	readonly view: View;
	readonly token: string;
	readonly from: string;
	readonly to: string;
}) {
	return (
		<DashboardPage view={props.view} place="Settings" title="Confirm your new address" up={UP}>
			<Form view={props.view} action={`${ADDRESS}/confirm`} layout="narrow">
				<input type="hidden" name="token" value={props.token} />
				<dl class="facts">
					<dt>Now</dt>
					<dd>{props.from}</dd>
					<dt>From now on</dt>
					<dd>
						<strong>{props.to}</strong>
					</dd>
				</dl>
				<p>You sign in with the new address from then on. All other browsers are signed out.</p>
				<div class="actions">
					<Button>Change address</Button>
					<CancelLink href={UP.href} />
				</div>
			</Form>
		</DashboardPage>
	);
}

/** For a link that is no longer valid, or that was sent for another account. */
export function AddressLinkEndedPage({ view }: { readonly view: View }) {
	return (
		<DashboardPage
			view={view}
			place="Settings"
			title="This link no longer works"
			up={UP}
			lead="It has been used, has expired, or belongs to another account. Your address has not changed."
		>
			<p>
				<ButtonLink kind="quiet" href={ADDRESS}>
					Request another link
				</ButtonLink>
			</p>
		</DashboardPage>
	);
}
