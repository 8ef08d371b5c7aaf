CREATE TABLE `activities` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`device` text,
	`about` text,
	`by` text
);
--> statement-breakpoint
CREATE INDEX `activities_account` ON `activities` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `activities_at` ON `activities` (`at`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`user_id` text NOT NULL,
	`digest` text NOT NULL,
	PRIMARY KEY(`user_id`, `digest`)
);
--> statement-breakpoint
CREATE TABLE `second_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`salt` text NOT NULL,
	`since` integer NOT NULL,
	`last_step` integer NOT NULL
);
