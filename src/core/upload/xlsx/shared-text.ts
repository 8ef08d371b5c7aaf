import { refusal } from '../file-kind.ts';
import { FILE_OCTETS_MAX, ROW_CHARS_MAX } from '../limits.ts';
import { TOO_LARGE } from './xml.ts';
import type { XmlReader } from './xml.ts';

/** Different texts of a workbook: eight columns of them in 50,000 rows. Some 60 MB of heap hold them. */
export const TEXTS_MAX = 400_000;

// ECMA-376-1 §22.9.2.19: characters that XML can't hold.
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

/** Decodes the escapes in a workbook's text. */
export function unescaped(text: string): string {
	if (!text.includes('_x')) return text;
	return text.replaceAll(ESCAPED, (_, digits: string) => {
		const unit = Number.parseInt(digits, 16);
		// We drop NUL from texts.
		return unit === 0 ? '' : String.fromCharCode(unit);
	});
}

/** Collects the text of an element of rich text, without the readings (`rPh`) beside East Asian names. */
export class RichText {
	#inText = false;
	#inReading = false;
	#text = '';

	begin(): void {
		this.#text = '';
	}

	open(name: string): void {
		if (name === 't') this.#inText = !this.#inReading;
		else if (name === 'rPh') this.#inReading = true;
	}

	close(name: string): void {
		if (name === 't') this.#inText = false;
		else if (name === 'rPh') this.#inReading = false;
	}

	add(text: string): void {
		if (!this.#inText) return;
		this.#text += text;
		if (this.#text.length > ROW_CHARS_MAX) throw refusal(TOO_LARGE);
	}

	end(): string {
		return unescaped(this.#text);
	}
}

/** Reads the texts that cells share. Throws `ServiceError` for more of them than a list can have. */
export class SharedText implements XmlReader {
	readonly texts: string[] = [];
	readonly #rich = new RichText();
	#chars = 0;

	readonly open = (name: string): void => {
		if (name === 'si') this.#rich.begin();
		else this.#rich.open(name);
	};

	readonly text = (text: string): void => this.#rich.add(text);

	readonly close = (name: string): void => {
		this.#rich.close(name);
		if (name !== 'si') return;
		const text = this.#rich.end();
		this.#chars += text.length;
		if (this.texts.length >= TEXTS_MAX || this.#chars > FILE_OCTETS_MAX) throw refusal(TOO_LARGE);
		this.texts.push(text);
	};
}
