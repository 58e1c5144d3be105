/** Of several requests the newest: what one answers that another has overtaken is dropped. */
export class Newest {
	private begun = 0;

	/** Begin another. Returns what says whether it is the newest still. */
	begin(): () => boolean {
		const mine = (this.begun += 1);
		return () => mine === this.begun;
	}
}
