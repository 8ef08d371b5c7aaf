import { encode } from 'uqr';
import type { FactorSetup } from '../../../operations/people/two-factor.ts';
import type { SecondFactor } from '../../../operations/people/port.ts';
import { plural } from '../../format.ts';
import type { FieldErrors } from '../../forms.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { Button, ButtonLink, CancelLink } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { Time } from '../../parts/figures.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ProofFields } from '../../parts/proof-fields.tsx';
import type { View } from '../../view.ts';

const TWO_FACTOR = '/dashboard/settings/two-factor';
const UP = { name: 'Settings', href: '/dashboard/settings' };

interface Common {
	readonly view: View;
	readonly email: string;
	readonly errors: FieldErrors;
	readonly problem: string | null;
}

/** Turning two-factor sign-in on: asks for the password first. */
export function TwoFactorOffPage({ view, email, errors, problem }: Common) {
	return (
		<DashboardPage
			view={view}
			place="Settings"
			title="Two-factor sign-in"
			up={UP}
			lead="Signing in will take your password and a code from an app on your phone."
		>
			{problem !== null && <Notice kind="failed" announce title={problem} />}
			<Form view={view} action={TWO_FACTOR} layout="narrow">
				<ProofFields
					email={email}
					hasFactor={false}
					errors={errors}
					autofocus={Object.keys(errors).length === 0}
				/>
				<div class="actions">
					<Button>Set up</Button>
					<CancelLink href={UP.href} />
				</div>
			</Form>
		</DashboardPage>
	);
}

/** The code for the app to scan, and the field for its first code. */
export function TwoFactorSetupPage(props: Omit<Common, 'email'> & { readonly setup: FactorSetup }) {
	const { view, setup, errors, problem } = props;
	return (
		<DashboardPage view={view} place="Settings" title="Set up your app" up={UP} islands={['copy']}>
			{problem !== null && <Notice kind="failed" announce title={problem} />}
			<Section title="1. Scan this code">
				<div class="stack">
					<p>In your authenticator app, add an account and point the camera here.</p>
					<QrCode text={setup.uri} label="QR code for your authenticator app; the key below says the same" />
					<p>No camera? Enter this key instead:</p>
					<CodeBlock
						id="factor-key"
						code={setup.text.replaceAll(/(.{4})(?!$)/g, '$1 ')}
						what="The key for your app"
						wrap
					/>
				</div>
			</Section>
			<Section title="2. Enter the code it shows">
				<Form view={view} action={`${TWO_FACTOR}/confirm`} layout="narrow">
					<input type="hidden" name="offer" value={setup.offer} />
					<Field
						name="code"
						label="Code"
						error={errors['code']}
						hint="Six digits. All other browsers will be signed out."
						autocomplete="one-time-code"
						maxlength={40}
						required
					/>
					<div class="actions">
						<Button>Turn on</Button>
						<CancelLink href={UP.href} />
					</div>
				</Form>
			</Section>
		</DashboardPage>
	);
}

/** The only page that ever shows the recovery codes. */
export function RecoveryCodesPage(props: {
	readonly view: View;
	readonly codes: readonly string[];
	/** They belong to a factor that was just turned on. */
	readonly isNew: boolean;
}) {
	const { view, codes, isNew } = props;
	const text = codes.join('\n');
	const file = `Mailsonar recovery codes. Each works once, in place of the app.\r\n\r\n${codes.join('\r\n')}\r\n`;
	return (
		<DashboardPage
			view={view}
			place="Settings"
			title={isNew ? 'Two-factor sign-in is on' : 'Your new recovery codes'}
			up={UP}
			islands={['copy']}
			action={<ButtonLink href={UP.href}>I have stored them</ButtonLink>}
		>
			<Notice kind="warning" title="This is the only time you see them">
				<p>
					Each code signs you in once without your phone.
					{!isNew && ' The old codes no longer work.'} Keep them where you can reach them if you lose your
					phone.
				</p>
			</Notice>
			<CodeBlock id="recovery-codes" code={text} what="The recovery codes" />
			<p>
				<ButtonLink
					kind="quiet"
					icon="download"
					href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
					download="mailsonar-recovery-codes.txt"
				>
					Download as text
				</ButtonLink>
			</p>
		</DashboardPage>
	);
}

/** Two-factor sign-in while it is on: new recovery codes, or turning it off. */
export function TwoFactorOnPage(
	props: Common & {
		readonly factor: SecondFactor;
		readonly codesLeft: number;
		/** The form that was refused. */
		readonly refused: 'codes' | 'off' | null;
	},
) {
	const { view, email, errors, problem, factor, codesLeft, refused } = props;
	const errorsOf = (form: 'codes' | 'off'): FieldErrors => (refused === form ? errors : {});
	return (
		<DashboardPage view={view} place="Settings" title="Two-factor sign-in" up={UP}>
			{problem !== null && <Notice kind="failed" announce title={problem} />}
			<p>
				On since <Time at={factor.since} now={view.now} />. {plural(codesLeft, 'recovery code')} left.
			</p>
			<Section title="New recovery codes">
				<Form view={view} action={`${TWO_FACTOR}/codes`} layout="narrow">
					<p>Your current codes stop working.</p>
					<ProofFields email={email} hasFactor errors={errorsOf('codes')} prefix="codes" />
					<div class="actions">
						<Button kind="quiet">Make new codes</Button>
					</div>
				</Form>
			</Section>
			<Section title="Turn it off">
				<Form view={view} action={`${TWO_FACTOR}/off`} layout="narrow">
					<p>Signing in will take only your password.</p>
					<ProofFields email={email} hasFactor errors={errorsOf('off')} prefix="off" />
					<div class="actions">
						<Button kind="danger">Turn off</Button>
						<CancelLink href={UP.href} />
					</div>
				</Form>
			</Section>
		</DashboardPage>
	);
}

// Light modules around the code, without which cameras do not find it (ISO/IEC 18004).
const QUIET_ZONE = 4;

/** A QR code, drawn on the server. Dark on light in either theme: not every camera reads the other way round. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
	const { data, size } = encode(text, { border: QUIET_ZONE, ecc: 'M' });
	const path = data
		.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
		.join('');
	return (
		<svg
			class="qr-code"
			viewBox={`0 0 ${size} ${size}`}
			role="img"
			aria-label={label}
			shape-rendering="crispEdges"
		>
			<rect width={size} height={size} fill="#fff" />
			<path d={path} fill="#000" />
		</svg>
	);
}
