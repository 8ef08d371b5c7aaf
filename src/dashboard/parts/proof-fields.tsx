import type { FieldErrors } from '../forms.ts';
import { Field } from './form.tsx';

/** Asks the person who is signed in for the password again, and for a code where there is a second factor. */
export function ProofFields(props: {
	readonly email: string;
	readonly hasFactor: boolean;
	readonly errors: FieldErrors;
	/** Set apart from other fields of a page. */
	readonly prefix?: string;
	/** Typing begins here. */
	readonly autofocus?: boolean;
}) {
	const { email, hasFactor, errors, prefix = 'field', autofocus = false } = props;
	return (
		<>
			<input type="text" name="username" value={email} autocomplete="username" hidden />
			<Field
				name="current"
				id={`${prefix}-current`}
				label="Password"
				type="password"
				error={errors['current']}
				autocomplete="current-password"
				autofocus={autofocus}
				required
			/>
			{hasFactor && (
				<Field
					name="code"
					id={`${prefix}-code`}
					label="Code"
					error={errors['code']}
					hint="Six digits from your authenticator app, or a recovery code."
					autocomplete="one-time-code"
					maxlength={40}
					required
				/>
			)}
		</>
	);
}
