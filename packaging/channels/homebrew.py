"""A formula for a tap of our own (`brew tap OWNER/scrubjay`).

No cask: one that Apple has not notarised is disabled. Not in homebrew-core: ONNX Runtime comes as wheels alone.
Everything that pip fetches is held by the digests of the lock.
"""

from published import SUMMARY, Published

_PYTHON = "3.13"


def formula(release: Published) -> str:
    """scrubjay.rb."""
    return f"""class Scrubjay < Formula
  desc "{SUMMARY.replace(", with credentials redacted first", "")}"
  homepage "{release.page}"
  url "{release.url(release.wheel)}", using: :nounzip
  version "{release.version}"
  sha256 "{release.sums[release.wheel]}"
  license all_of: ["MIT", "Apache-2.0"]

  depends_on "python@{_PYTHON}"

  resource "lock" do
    url "{release.url(release.lock)}"
    sha256 "{release.sums[release.lock]}"
  end

  def install
    python = Formula["python@{_PYTHON}"].opt_bin/"python{_PYTHON}"
    system python, "-m", "venv", libexec
    pip = [libexec/"bin/python", "-m", "pip", "install", "--quiet", "--no-deps"]
    resource("lock").stage do
      system(*pip, "--require-hashes", "--only-binary", ":all:", "-r", "{release.lock}")
    end
    system(*pip, "{release.wheel}")
    bin.install_symlink libexec/"bin/scrubjay"
    generate_completions_from_executable(bin/"scrubjay", shell_parameter_format: :click)
  end

  service do
    run [opt_bin/"scrubjay", "run"]
    keep_alive crashed: true
  end

  test do
    ENV["SCRUBJAY_HOME"] = testpath/"home"
    ENV["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
    (testpath/"Notes/Ferry.md").write "The boat to the island leaves at nine."
    system bin/"scrubjay", "profile", "create", "trial", "--vault", testpath/"Notes", "--allow", "."
    system bin/"scrubjay", "index", "--wait"
    assert_match "Ferry", shell_output("#{{bin}}/scrubjay search boat")
  end
end
"""
