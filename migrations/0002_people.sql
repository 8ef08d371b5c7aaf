CREATE TABLE `development_mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `one_time_links` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`form_id` text NOT NULL,
	`email` text NOT NULL,
	`login_name` text NOT NULL,
	`user_id` text NOT NULL,
	`account_id` text,
	`password_hash` text,
	`visitor_hash` text,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_time_links_form` ON `one_time_links` (`form_id`,`purpose`);--> statement-breakpoint
CREATE INDEX `one_time_links_login_name` ON `one_time_links` (`login_name`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`device` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `throttles` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`login_name` text NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_login_name` ON `users` (`login_name`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_account` ON `users` (`account_id`);--> statement-breakpoint
DROP INDEX `accounts_email`;--> statement-breakpoint
ALTER TABLE `accounts` ADD `suspended_at` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `closed_at` integer;--> statement-breakpoint
CREATE INDEX `accounts_email` ON `accounts` (lower("email"));