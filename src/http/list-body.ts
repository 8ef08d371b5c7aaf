import { TokenParser, TokenType, Tokenizer } from '@streamparser/json';
import { sha256Hex } from '../lib/digest.ts';
import { ownCopy } from '../lib/text.ts';
import { DEPTH_MAX, notJson, notText, TOO_DEEP, UnreadableBody } from './unreadable-body.ts';

/** The most for everything but the texts of the list: an octet per token, and the length of each text. */
export const REST_MAX = 65_536;
/** The longest text in any field, in UTF-16 units. */
export const TEXT_MAX = 32_768;
/** How much is kept of a text of the list. An address has 254 octets; the rest is for surrounding white space. */
export const KEPT_MAX = 1_000;

// A piece may be as long as the body, so it is parsed in slices, and the length of the token is checked between them.
const SLICE_OCTETS = 16_384;
// In JSON a UTF-16 unit takes at most six octets (\u0041).
const TOKEN_OCTETS_MAX = 6 * TEXT_MAX + SLICE_OCTETS;

type Token = Parameters<Tokenizer['onToken']>[0];

/**
 * Parses a JSON object with one long list of texts piece by piece, in bounded memory for any input: a list of
 * `elementsMax` texts, each up to `KEPT_MAX`, and `REST_MAX` for all the rest, including unknown fields. The last of
 * repeated fields counts, as with `JSON.parse`; a wrong element is refused wherever it stands.
 */
export class ListBody {
	readonly #list: string;
	readonly #elementsMax: number;
	readonly #tokenizer = new Tokenizer({
		// Without buffers each escaped character would be a separate string.
		stringBufferSize: 4_096,
		numberBufferSize: 64,
		emitPartialTokens: true,
	});
	readonly #parser = new TokenParser({ paths: ['$.*'], keepStack: false });
	readonly #fields = new Map<string, unknown>();
	#isObject = false;
	#depth = 0;
	#rest = REST_MAX;
	/** The field whose value is being read. */
	#field: string | null = null;
	/** The last text at the level of the fields; it is a field's name if a colon follows. */
	#lastText = '';
	/** Whether the list is open, and how many elements it has so far. */
	#isInList = false;
	#elements = 0;
	/** Whether this slice contains the end of a token, and whether it ends within one. */
	#hasEnd = false;
	#endsWithin = false;
	#octetsWithoutEnd = 0;

	constructor(list: string, elementsMax: number) {
		this.#list = list;
		this.#elementsMax = elementsMax;
		this.#tokenizer.onToken = (token) => this.#take(token);
		this.#parser.onValue = ({ key, value, stack }) => {
			if (stack.length === 1) this.#fields.set(String(key), value);
		};
	}

	/** Throws `UnreadableBody` as soon as the body is invalid whatever follows. */
	write(piece: Uint8Array): void {
		for (let from = 0; from < piece.length; from += SLICE_OCTETS) {
			const slice = piece.subarray(from, from + SLICE_OCTETS);
			this.#hasEnd = false;
			this.#endsWithin = false;
			this.#parse(() => this.#tokenizer.write(slice));
			if (this.#hasEnd) this.#octetsWithoutEnd = 0;
			else if (this.#endsWithin || !isBlank(slice)) this.#octetsWithoutEnd += slice.length;
			if (this.#octetsWithoutEnd > TOKEN_OCTETS_MAX) throw this.#textTooLong();
		}
	}

	/** The parsed object, or null where the body is not an object. Throws `UnreadableBody`. */
	end(): unknown {
		this.#parse(() => this.#tokenizer.end());
		if (!this.#parser.isEnded) throw notJson();
		return this.#isObject ? Object.fromEntries(this.#fields) : null;
	}

	#parse(step: () => void): void {
		try {
			step();
		} catch (error) {
			if (error instanceof UnreadableBody) throw error;
			// From the decoder; the parser throws errors of its own.
			throw error instanceof TypeError ? notText() : notJson();
		}
	}

	#take(token: Token): void {
		if (token.partial === true) {
			this.#endsWithin = true;
			return;
		}
		this.#hasEnd = true;
		const { token: type, value } = token;
		if (type === TokenType.STRING && (value as string).length > TEXT_MAX) throw this.#textTooLong();
		if (isClosing(type)) this.#depth -= 1;
		if (this.#depth === 0) this.#isObject ||= type === TokenType.LEFT_BRACE;
		if (this.#depth === 1) this.#noteField(token);
		this.#parser.write(this.#isElement(type) ? this.#takeElement(token) : this.#takeRest(token));
		if (isOpening(type)) this.#depth += 1;
		if (this.#depth > DEPTH_MAX) throw this.#refusal(TOO_DEEP);
	}

	/** Tracks which field is being read. */
	#noteField({ token: type, value }: Token): void {
		this.#isInList = type === TokenType.LEFT_BRACKET && this.#field === this.#list;
		if (type === TokenType.STRING) this.#lastText = String(value);
		else if (type === TokenType.COMMA) this.#field = null;
		else if (type === TokenType.COLON && this.#isObject) {
			this.#field = this.#lastText;
			this.#elements = 0;
		}
	}

	#isElement(type: TokenType): boolean {
		return this.#isInList && this.#depth === 2 && type !== TokenType.COMMA && !isClosing(type);
	}

	#takeElement(token: Token): Token {
		const element = token.token === TokenType.STRING ? '' : null;
		if (element === null || this.#elements === this.#elementsMax) {
			// As many good ones before it.
			const elements = [...Array.from({ length: this.#elements }, () => ''), element];
			const message = `${this.#list}[${this.#elements}] is wrong`;
			throw new UnreadableBody('invalid_body', message, { [this.#list]: elements });
		}
		this.#elements += 1;
		return { ...token, value: shortened(String(token.value)) };
	}

	#takeRest(token: Token): Token {
		const { token: type, value } = token;
		if (this.#isInList && this.#depth === 2 && type === TokenType.COMMA) return token;
		this.#rest -= 1 + (type === TokenType.STRING ? String(value).length : 0);
		if (this.#rest >= 0) return token;
		throw this.#refusal(`All that the body holds beside ${this.#list} is longer than ${REST_MAX} bytes`);
	}

	#textTooLong(): UnreadableBody {
		const isElement = this.#isInList && this.#depth === 2;
		const what = isElement ? `${this.#list}[${this.#elements}]` : 'A value in the body';
		return this.#refusal(`${what} is longer than ${TEXT_MAX} characters`);
	}

	/** What is no object at all is refused as such. */
	#refusal(message: string): UnreadableBody {
		return new UnreadableBody('invalid_body', message, this.#isObject ? undefined : null);
	}
}

function isOpening(type: TokenType): boolean {
	return type === TokenType.LEFT_BRACE || type === TokenType.LEFT_BRACKET;
}

function isClosing(type: TokenType): boolean {
	return type === TokenType.RIGHT_BRACE || type === TokenType.RIGHT_BRACKET;
}

/** JSON's white space (RFC 8259 §2). */
function isBlank(slice: Uint8Array): boolean {
	return slice.every((octet) => octet === 0x20 || octet === 0x09 || octet === 0x0a || octet === 0x0d);
}

/** Shortens a text that is too long for an address, so that it stays too long, and distinct from all others. */
export function shortened(text: string): string {
	if (text.length <= KEPT_MAX) return text;
	const trimmed = text.trim();
	if (trimmed.length <= KEPT_MAX) return ownCopy(trimmed);
	return ownCopy(`${trimmed.slice(0, KEPT_MAX)}…${sha256Hex(trimmed)}`);
}
