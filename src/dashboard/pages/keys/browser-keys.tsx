import { DAILY_LIMIT } from '../../../core/keys/browser-key.ts';
import type { OwnBrowserKey } from '../../../operations/accounts/browser-keys.ts';
import type { FieldErrors } from '../../forms.ts';
import { count, list } from '../../format.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { Checkbox, Field, Form, TextArea } from '../../parts/form.tsx';
import type { View } from '../../view.ts';

/** The typed fields of the form for a new key for browsers. */
export interface BrowserKeyForm {
	readonly label: string;
	/** One a line. */
	readonly origins: string;
	readonly limit: string;
	readonly turnstile: string;
	/** By field. */
	readonly errors: FieldErrors;
}

export const EMPTY_BROWSER_KEY_FORM: BrowserKeyForm = {
	label: '',
	origins: '',
	limit: String(DAILY_LIMIT.usual),
	turnstile: '',
	errors: {},
};

interface BrowserKeysProps {
	readonly view: View;
	/** Our own URL. */
	readonly baseUrl: string;
	readonly keys: readonly OwnBrowserKey[];
	readonly form: BrowserKeyForm;
}

/** The keys that stand in pages, each with the script to copy, and a form for a new one. */
export function BrowserKeysPage({ view, baseUrl, keys, form }: BrowserKeysProps) {
	return (
		<DashboardPage
			view={view}
			place="API keys"
			title="Keys for your pages"
			up={{ name: 'API keys', href: '/dashboard/keys' }}
			lead="Such a key opens the quick check alone, from your own pages, so many times a day. It is no secret."
			islands={['copy']}
		>
			{keys.map(({ id, label, browser }) => (
				<Section
					title={label}
					aside={
						<span class="row row-wide">
							<a href={`/dashboard/keys/browser/${id}`}>Change</a>
							<a href={`/dashboard/keys/${id}`}>Usage, rename, revoke</a>
						</span>
					}
				>
					<p class="quiet">
						{list(browser.origins)}; at most {count(browser.dailyLimit)} a day
						{browser.turnstile === null ? '' : '; with Turnstile'}
					</p>
					<CodeBlock
						id={`script-${id}`}
						code={`<script src="${baseUrl}/widget.js" data-key="${browser.publicKey}"></script>`}
						what="The script"
					/>
				</Section>
			))}
			<Section title="New key for a page">
				<Form view={view} action="/dashboard/keys/browser" layout="narrow">
					<Field
						name="label"
						label="Label"
						value={form.label}
						error={form.errors['label']}
						hint="Where you will use it."
						maxlength={100}
						autocomplete="off"
						required
					/>
					<Settings
						form={form}
						secretHint="Optional: each check then needs a token of your Turnstile widget."
					/>
					<div class="actions">
						<Button>Create key</Button>
					</div>
				</Form>
			</Section>
		</DashboardPage>
	);
}

interface SettingsProps {
	readonly form: BrowserKeyForm;
	readonly secretHint: string;
}

function Settings({ form, secretHint }: SettingsProps) {
	return (
		<>
			<TextArea
				name="origins"
				label="Origins"
				value={form.origins}
				error={form.errors['origins']}
				hint="The pages that may use it, one a line: https://shop.example"
				rows={3}
			/>
			<Field
				name="limit"
				label="Checks a day"
				value={form.limit}
				error={form.errors['limit']}
				hint="The most checks, and so the most credits, in a day (UTC)."
				autocomplete="off"
				required
			/>
			<Field
				name="turnstile"
				label="Turnstile secret key"
				value={form.turnstile}
				error={form.errors['turnstile']}
				hint={secretHint}
				autocomplete="off"
			/>
		</>
	);
}

interface BrowserKeyPageProps {
	readonly view: View;
	readonly browserKey: OwnBrowserKey;
	/** Its Turnstile secret is never shown: empty, it stays. */
	readonly form: BrowserKeyForm;
}

/** The form that changes the origins, the daily limit and Turnstile of a key for browsers. */
export function BrowserKeyPage({ view, browserKey, form }: BrowserKeyPageProps) {
	const { id, label, browser } = browserKey;
	return (
		<DashboardPage
			view={view}
			place="API keys"
			title={`Change ${label}`}
			up={{ name: 'Keys for your pages', href: '/dashboard/keys/browser' }}
			lead="The script in your pages stays the same. A change holds everywhere within a minute."
		>
			<Form view={view} action={`/dashboard/keys/browser/${id}`} layout="narrow">
				<Settings
					form={form}
					secretHint={
						browser.turnstile === null ? 'Optional.' : 'Leave it empty to keep the secret as it is.'
					}
				/>
				{browser.turnstile !== null && (
					<Checkbox name="without" label="Without Turnstile from now on" checked={false} />
				)}
				<div class="actions">
					<Button>Save</Button>
				</div>
			</Form>
		</DashboardPage>
	);
}
