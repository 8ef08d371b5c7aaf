import { SCOPES, SCOPE_MEANINGS } from '../../core/keys/scopes.ts';
import type { Scope } from '../../core/keys/scopes.ts';
import type { Expiry } from '../../core/keys/expiry.ts';
import type { KeyMode } from '../../core/keys/api-key.ts';
import type { FieldErrors } from '../forms.ts';
import { Button } from '../parts/button.tsx';
import { Checkbox, DateField, Field, Form, Group, Select } from '../parts/form.tsx';
import type { View } from '../view.ts';

/** What was typed into the form for a new key. */
export interface KeyForm {
	readonly label: string;
	readonly mode: KeyMode;
	readonly scopes: readonly Scope[];
	readonly expiry: Expiry;
	/** `2026-11-30`, or empty. */
	readonly until: string;
	/** By field: `label`, `mode`, `scopes`, `expiry`, `until`. */
	readonly errors: FieldErrors;
}

export const EMPTY_KEY_FORM: KeyForm = {
	label: '',
	mode: 'live',
	scopes: SCOPES,
	expiry: 'never',
	until: '',
	errors: {},
};

/** The form for a new key. */
export function NewKeyForm({ view, form }: { readonly view: View; readonly form: KeyForm }) {
	const { label, mode, scopes, expiry, until, errors } = form;
	return (
		<Form view={view} action="/dashboard/keys">
			<div class="form-columns">
				<Field
					name="label"
					label="Label"
					value={label}
					error={errors['label']}
					hint="Where it will be used, so that you know which one to revoke."
					placeholder="Sign-up form"
					maxlength={100}
					autocomplete="off"
					required
				/>
				<Select
					name="mode"
					label="For"
					value={mode}
					error={errors['mode']}
					options={[
						{ value: 'live', label: 'Real addresses' },
						{ value: 'test', label: 'Tests: made-up answers, free' },
					]}
				/>
				<Select
					name="expiry"
					label="Expires"
					value={expiry}
					error={errors['expiry']}
					options={[
						{ value: 'never', label: 'Never' },
						{ value: '30', label: 'In 30 days' },
						{ value: '90', label: 'In 90 days' },
						{ value: 'date', label: 'After a date' },
					]}
				/>
				<DateField
					name="until"
					label="Last day"
					value={until}
					error={errors['until']}
					hint="Only with “After a date”. Ends at midnight UTC."
				/>
			</div>
			<Group name="scopes" legend="Allowed to" error={errors['scopes']}>
				{SCOPES.map((scope) => (
					<Checkbox
						name={`scope_${scope}`}
						checked={scopes.includes(scope)}
						label={
							<>
								{SCOPE_MEANINGS[scope]} <code class="scope-name">{scope}</code>
							</>
						}
					/>
				))}
			</Group>
			<div class="actions">
				<Button icon="plus">Create key</Button>
			</div>
		</Form>
	);
}
