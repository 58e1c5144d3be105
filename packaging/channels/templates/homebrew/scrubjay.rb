class Scrubjay < Formula
  desc "Private search for Obsidian vaults, by word and by meaning"
  homepage "{{page}}"
  url "{{wheel.url}}", using: :nounzip
  version "{{version}}"
  sha256 "{{wheel.sha256}}"
  license all_of: ["MIT", "Apache-2.0"]

  depends_on "python@3.13"

  resource "lock" do
    url "{{lock.url}}"
    sha256 "{{lock.sha256}}"
  end

  def install
    python = Formula["python@3.13"].opt_bin/"python3.13"
    system python, "-m", "venv", libexec
    pip = [libexec/"bin/python", "-m", "pip", "install", "--quiet", "--no-deps"]
    resource("lock").stage do
      system(*pip, "--require-hashes", "--only-binary", ":all:", "-r", "{{lock}}")
    end
    system(*pip, "{{wheel}}")
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
    assert_match "Ferry", shell_output("#{bin}/scrubjay search boat")
  end
end
