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

/** The list has an element that is no text (null), or one text more than it may, after so many good ones. */
export function wrongElement(list: string, before: number, element: '' | null): UnreadableBody {
	const elements = [...Array.from({ length: before }, () => ''), element];
	return new UnreadableBody('invalid_body', `${list}[${before}] is wrong`, { [list]: elements });
}

/** The octets are no text, or the text is no JSON. */
export const notText = () => new UnreadableBody('invalid_json', 'The body could not be read as UTF-8 text');
export const notJson = () => new UnreadableBody('invalid_json', ERRORS.invalid_json.says);

export const TOO_DEEP = `The body is nested more than ${DEPTH_MAX} levels deep`;
