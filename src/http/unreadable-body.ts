import { ERRORS } from '../core/errors/error-table.ts';
import { ServiceError } from '../errors.ts';

export const DEPTH_MAX = 32;

/** The body can't be parsed to its end. */
export class UnreadableBody extends ServiceError {
	/** A value with the same fault. It is validated first, since the schema has the better words. */
	readonly value: unknown;

	constructor(code: 'invalid_json' | 'invalid_body' | 'body_too_large', message: string, value?: unknown) {
		super(code, message);
		this.value = value;
	}
}

/** The octets are no text, or the text is no JSON. */
export const notText = () => new UnreadableBody('invalid_json', 'The body could not be read as UTF-8 text');
export const notJson = () => new UnreadableBody('invalid_json', ERRORS.invalid_json.says);

export const TOO_DEEP = `The body is nested more than ${DEPTH_MAX} levels deep`;
