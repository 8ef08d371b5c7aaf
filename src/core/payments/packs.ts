/** Credits at a price. The operator sets prices in the variable CREDIT_PACKS, and nowhere else. */
export interface CreditPack {
	readonly credits: number;
	readonly price: Money;
}

/** An amount as payment providers count it. */
export interface Money {
	/** In the currency's smallest unit: cents, or whole yen. */
	readonly amount: number;
	/** ISO 4217, upper case. */
	readonly currency: string;
}

const PACKS_MAX = 12;
const PACK = /^([1-9]\d{0,8})=(\d{1,7})(?:\.(\d{2}))?([A-Z]{3})$/;

// Stripe, "Supported currencies": these have no smaller unit.
const WHOLE: ReadonlySet<string> = new Set(
	'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);
// Three decimals, or two that have to be zero. Each has rules of its own, so we don't support them.
const ODD: ReadonlySet<string> = new Set('BHD JOD KWD OMR TND IQD LYD ISK UGX'.split(' '));

/** Reads `5000=39EUR 25000=149.50EUR`, fewest credits first. Throws an `Error` that says what is wrong. */
export function parsePacks(text: string): readonly CreditPack[] {
	const packs = text
		.split(/[\s,]+/)
		.filter((word) => word !== '')
		.map(parsePack)
		.toSorted((a, b) => a.credits - b.credits);
	if (packs.length > PACKS_MAX) throw new Error(`has more than ${PACKS_MAX} packs`);
	if (new Set(packs.map(({ price }) => price.currency)).size > 1)
		throw new Error('has more than one currency');
	if (new Set(packs.map(({ credits }) => credits)).size < packs.length)
		throw new Error('names a number of credits twice');
	return packs;
}

function parsePack(word: string): CreditPack {
	const [, credits = '', units = '', cents = '', currency = ''] = PACK.exec(word) ?? [];
	if (credits === '') throw new Error('is a list of CREDITS=PRICE, such as 5000=39EUR or 5000=39.50EUR');
	if (ODD.has(currency) || !Intl.supportedValuesOf('currency').includes(currency))
		throw new Error(`has a currency that cannot be used: ${currency}`);
	if (WHOLE.has(currency) && cents !== '')
		throw new Error(`has a price with decimals, which ${currency} has not`);
	const amount = WHOLE.has(currency) ? Number(units) : Number(units) * 100 + Number(cents);
	if (amount === 0) throw new Error('has a price of nothing');
	return { credits: Number(credits), price: { amount, currency } };
}

/** `€39.00`, `¥5,000`. */
export function formatMoney({ amount, currency }: Money): string {
	return inWords(WHOLE.has(currency) ? amount : amount / 100, currency, WHOLE.has(currency) ? 0 : 2);
}

/** The price of a thousand credits of a pack: `€7.80`. */
export function pricePerThousand({ credits, price: { amount, currency } }: CreditPack): string {
	const whole = WHOLE.has(currency);
	return inWords(((whole ? amount : amount / 100) / credits) * 1_000, currency, whole ? 0 : 2);
}

function inWords(value: number, currency: string, decimals: number): string {
	return new Intl.NumberFormat('en', {
		style: 'currency',
		currency,
		minimumFractionDigits: decimals,
		maximumFractionDigits: decimals,
	}).format(value);
}
