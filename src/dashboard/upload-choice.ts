/** What a person has said about an uploaded file so far. What is left out was not asked yet. */
export interface UploadChoice {
	readonly columns?: readonly number[];
	readonly hasHeader?: boolean;
	/** The name of the list. */
	readonly name?: string;
	readonly rescuesCatchAll?: boolean;
	readonly mailWhenDone?: boolean;
}

export const NAME_MAX = 255;
const INDEX = /^\d{1,4}$/;
// A box that was not ticked is sent by no browser: what is said of it needs a word for either.
const YES_OR_NO = { yes: true, no: false } as const;

/**
 * Reads the query of a preview. What it does not know is left out.
 *
 * @param values the values of a parameter
 */
export function readUploadChoice(values: (name: string) => readonly string[] | undefined): UploadChoice {
	const columns = [...(values('column') ?? []), ...(values('also') ?? [])].filter((text) => INDEX.test(text));
	const [name] = values('name') ?? [];
	const flag = (parameter: string): boolean | undefined => {
		const [word = ''] = values(parameter) ?? [];
		return word === 'yes' || word === 'no' ? YES_OR_NO[word] : undefined;
	};
	const [hasHeader, rescuesCatchAll, mailWhenDone] = [flag('header'), flag('rescue'), flag('mail')];
	return {
		...(columns.length > 0 ? { columns: columns.map(Number) } : {}),
		...(hasHeader === undefined ? {} : { hasHeader }),
		...(name === undefined ? {} : { name: name.trim().slice(0, NAME_MAX) }),
		...(rescuesCatchAll === undefined ? {} : { rescuesCatchAll }),
		...(mailWhenDone === undefined ? {} : { mailWhenDone }),
	};
}

/** The address of a preview that shows a choice. */
export function uploadHref(path: string, choice: UploadChoice): string {
	const { columns = [], name, ...flags } = choice;
	const words = new URLSearchParams();
	for (const [index, column] of columns.entries())
		words.append(index === 0 ? 'column' : 'also', String(column));
	if (name !== undefined) words.set('name', name);
	const parameters = { hasHeader: 'header', rescuesCatchAll: 'rescue', mailWhenDone: 'mail' } as const;
	for (const [key, parameter] of Object.entries(parameters)) {
		const said = flags[key as keyof typeof parameters];
		if (said !== undefined) words.set(parameter, said ? 'yes' : 'no');
	}
	const text = words.toString();
	return text === '' ? path : `${path}?${text}`;
}
