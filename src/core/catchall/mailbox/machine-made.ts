// Return paths made for the bounces of one message (BATV prvs=, SRS0=, VERP user=example.com).
const BOUNCE_PATH = /^(?:prvs|btv1|srs[01])=|^bounces?[-+.].*\d|[^=]=[\p{L}\d-]+(?:\.[\p{L}\d-]+)+$/u;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;
const HEX = /(?<![\p{L}\d])[\da-f]{16,}(?![\p{L}\d])/u;

/** Whether a machine generated the local part: a hash, an identifier, the return path of one message. */
export function isMachineMade(localPart: string): boolean {
	const text = localPart.toLowerCase();
	return BOUNCE_PATH.test(text) || UUID.test(text) || HEX.test(text);
}
