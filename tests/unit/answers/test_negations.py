"""Quotations that stand in a note word for word and say the opposite of it, since they leave a negation out."""

from scrubjay.daemon.answers.quotation import verify_quote

LEFT_OUT = [
    (
        "The board did not approve the sale of the Rotterdam office in March.",
        "The board … approve the sale of the Rotterdam",
    ),
    (
        "The board did not approve the sale of the Rotterdam office in March.",
        "approve the sale of the Rotterdam office",
    ),
    ("The board did not yet approve the sale of the Rotterdam office.", "approve the sale of the Rotterdam office"),
    ("The board did not formally approve the sale of the office.", "approve the sale of the office"),
    (
        "We no longer deliver printed invoices to customers in Denmark.",
        "deliver printed invoices to customers in Denmark",
    ),
    ("The plant will no longer deliver to customers in Denmark.", "The plant will … deliver to customers in Denmark"),
    ("We never sell customer data to advertisers.", "sell customer data to advertisers"),
    ("No employee may carry a private phone in the lab.", "employee may carry a private phone in the lab"),
    ("Neither the board nor the committee approved the sale.", "the committee approved the sale"),
    ("Neither the board nor the committee approved the sale.", "the board nor the committee approved the sale"),
    ("The supplier failed to deliver the pumps in time.", "deliver the pumps in time"),
    ("The supplier has failed to deliver the pumps in time.", "The supplier … deliver the pumps in time"),
    ("The tenant refused to sign the new contract.", "sign the new contract"),
    ("The tenant declined to sign the new contract.", "sign the new contract"),
    ("Staff rarely work on the Saturday shift.", "work on the Saturday shift"),
    ("Staff seldom work on the Saturday shift.", "work on the Saturday shift"),
    ("The plant stopped shipping to Norway in May.", "shipping to Norway in May"),
    ("The plant has ceased shipping to Norway.", "The plant … shipping to Norway"),
    ("It is false that the board approved the sale.", "the board approved the sale"),
    ("It is not true that the board approved the sale.", "the board approved the sale"),
    ("The chair denied that the board approved the sale.", "the board approved the sale"),
    ("The chair denies the board approved the sale.", "the board approved the sale"),
    ("It is unlikely that the board approved the sale.", "the board approved the sale"),
    ("The pump is far from being ready for the winter.", "being ready for the winter"),
    ("They can't deliver the pumps before May.", "deliver the pumps before May"),
    ("Der Vorstand hat den Verkauf des Lagers nicht genehmigt.", "Der Vorstand hat den Verkauf des Lagers … genehmigt"),
    ("Der Vorstand genehmigt den Verkauf des Lagers nicht.", "Der Vorstand genehmigt den Verkauf des Lagers"),
    ("Wir liefern nicht mehr auf Papier in Dänemark.", "auf Papier in Dänemark"),
    (
        "Weder der Vorstand noch der Beirat stimmte dem Verkauf zu.",
        "der Vorstand noch der Beirat stimmte dem Verkauf zu",
    ),
    ("Es ist falsch, dass der Vorstand zugestimmt hat.", "der Vorstand zugestimmt hat"),
    ("Die Leitung bestreitet, dass der Vorstand zugestimmt hat.", "der Vorstand zugestimmt hat"),
    ("Der Mieter weigert sich, den neuen Vertrag zu zeichnen.", "den neuen Vertrag zu zeichnen"),
    ("Keine Mitarbeiterin darf ein Telefon mitnehmen.", "Mitarbeiterin darf ein Telefon mitnehmen"),
    ("Le conseil n'approuve pas la vente du bureau.", "Le conseil … approuve … la vente du bureau"),
    ("Le conseil n'approuve pas la vente du bureau.", "approuve … la vente du bureau"),
    ("Nous ne livrons plus de factures imprimées.", "livrons plus de factures imprimées"),
    ("Il est faux que le conseil ait approuvé la vente.", "le conseil ait approuvé la vente"),
    ("Le locataire refuse de signer le nouveau contrat.", "signer le nouveau contrat"),
    ("Le président nie que le conseil ait approuvé la vente.", "le conseil ait approuvé la vente"),
    ("La junta no aprobó la venta de la oficina.", "aprobó la venta de la oficina"),
    ("Ya no entregamos facturas impresas en Dinamarca.", "entregamos facturas impresas en Dinamarca"),
    ("Es falso que la junta aprobara la venta.", "la junta aprobara la venta"),
    ("El inquilino se negó a firmar el contrato nuevo.", "firmar el contrato nuevo"),
    ("La planta dejó de enviar bombas a Noruega.", "enviar bombas a Noruega"),
    ("Il consiglio non ha approvato la vendita.", "ha approvato la vendita"),
    ("È falso che il consiglio abbia approvato la vendita.", "il consiglio abbia approvato la vendita"),
    ("L'inquilino rifiuta di firmare il contratto nuovo.", "firmare il contratto nuovo"),
    ("O conselho não aprovou a venda do escritório.", "aprovou a venda do escritório"),
    ("A fábrica deixou de enviar bombas para a Noruega.", "enviar bombas para a Noruega"),
    ("De raad keurde de verkoop van het kantoor niet goed.", "De raad keurde de verkoop van het kantoor … goed"),
    ("De huurder weigerde het nieuwe contract te tekenen.", "het nieuwe contract te tekenen"),
    ("Совет не одобрил продажу офиса в марте.", "одобрил продажу офиса в марте"),
    ("董事会没有批准出售鹿特丹办公室。", "批准出售鹿特丹办公室"),
]
NONE_LEFT_OUT = [
    ("The board did not approve the sale of the office.", "The board did not approve the sale"),
    ("He did not come, but the board approved the sale.", "the board approved the sale"),
    ("Nothing else was said. The board approved the sale.", "The board approved the sale"),
    ("With no objection raised the board approved the sale.", "the board approved the sale"),
    ("The board approved the sale. It did not ask the staff.", "The board approved the sale"),
    ("We no longer print. We deliver invoices by mail to Denmark.", "We deliver invoices by mail"),
    ("The pump stopped at noon; it is ready for the winter.", "it is ready for the winter"),
    ("The supplier failed last year and deliver the pumps now.", "deliver the pumps now"),
    ("Not only the staff but also the board approved the sale.", "the board approved the sale"),
    ("Der Verkauf ist nicht billig. Der Vorstand genehmigt den Verkauf.", "Der Vorstand genehmigt den Verkauf"),
    ("Il n'y a rien. Le conseil approuve la vente.", "Le conseil approuve la vente"),
    ("The board did not approve it. Later the board approved the sale.", "the board approved the sale"),
    ("It never approved the sale in May; in June it approved the sale.", "approved the sale"),
    ("The sale was approved by the board, no later than in May.", "The sale was approved by the board"),
    ("The rent is low, not high, and the lease is long enough.", "and the lease is long enough"),
]


def test_a_quotation_without_the_negation_of_its_note_is_altered() -> None:
    assert [(text, quote) for text, quote in LEFT_OUT if verify_quote(quote, text).verdict != "altered"] == []


def test_a_quotation_that_leaves_no_negation_out_is_verified() -> None:
    assert [(text, quote) for text, quote in NONE_LEFT_OUT if verify_quote(quote, text).verdict != "verified"] == []
