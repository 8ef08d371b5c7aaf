import type { FactorRef } from '../../core/identity/second-factor.ts';

/** The second factor of a person. */
export interface SecondFactor extends FactorRef {
	/** When it was turned on, epoch ms. */
	readonly since: number;
	/** The time step of the last code that was taken: none is taken twice, nor an older one. */
	readonly lastStep: number;
}

export interface NewFactor {
	readonly userId: string;
	readonly factor: SecondFactor;
	/** Digests. */
	readonly recoveryCodes: readonly string[];
	/** The session that goes on; all others end. */
	readonly tokenHash: string;
}

export interface SecondFactors {
	find(userId: string): Promise<SecondFactor | null>;
	/** How many recovery codes are left. */
	countCodes(userId: string): Promise<number>;
	/** Turns it on, and gives what is on afterwards: another one where another request was faster. */
	turnOn(request: NewFactor): Promise<SecondFactor>;
	turnOff(userId: string): Promise<void>;
	/** How many depend on each version of the service's secret. */
	countByVersion(): Promise<Readonly<Record<string, number>>>;
	/** Takes the code of a time step. False: that step, or a later one, was taken before. */
	useStep(userId: string, step: number): Promise<boolean>;
	/** Takes a recovery code. False: there is no such one. */
	useRecoveryCode(userId: string, digest: string): Promise<boolean>;
	/** Whether a recovery code with this digest is left. */
	hasCode(userId: string, digest: string): Promise<boolean>;
	/** Replaces all recovery codes. */
	replaceCodes(userId: string, digests: readonly string[]): Promise<void>;
}
