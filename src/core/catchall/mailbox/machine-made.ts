// Whom a bounce of one message goes to (BATV prvs=, SRS0=, VERP user=example.com): made for one message.
const BOUNCE_PATH = /^(?:prvs|btv1|srs[01])=|^bounces?[-+.].*\d|[^=]=[\p{L}\d-]+(?:\.[\p{L}\d-]+)+$/u;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;
const HEX = /(?<![\p{L}\d])[\da-f]{16,}(?![\p{L}\d])/u;

/** Whether a machine made the local part up: a hash, an identifier, a return path of one message. */
export function isMachineMade(localPart: string): boolean {
	const text = localPart.toLowerCase();
	return BOUNCE_PATH.test(text) || UUID.test(text) || HEX.test(text);
}
